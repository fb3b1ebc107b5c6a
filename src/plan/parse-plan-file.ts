import path from 'node:path';
import { isNode, type Document, type LineCounter } from 'yaml';
import type { z } from 'zod';
import { H2h3Error } from '../model/errors.ts';
import { factorNames } from '../model/factor.ts';
import { accessOptionsShape } from '../model/live-access.ts';
import { didYouMean } from '../model/nearest-name.ts';
import { planFileSchema, type PlanFileInput } from './plan-file.ts';
import { readYaml } from './yaml-text.ts';

/** Line of the node at `path`, or of its nearest parent that exists. */
function lineOf(document: Document, counter: LineCounter, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
  }
  return 1;
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

type CustomNetwork = NonNullable<PlanFileInput['customNetworks']>[string];

/** Traces are named as seen from the plan file; a run that is resumed from another folder must find them too. */
function withTracesBeside(plan: PlanFileInput, folder: string): PlanFileInput {
  if (plan.customNetworks === undefined) return plan;
  const direction = (one: CustomNetwork['up']): CustomNetwork['up'] =>
    one.trace === undefined || one.trace.format === 'generated'
      ? one
      : { ...one, trace: { ...one.trace, file: path.resolve(folder, one.trace.file) } };
  const customNetworks: Record<string, CustomNetwork> = {};
  for (const [name, network] of Object.entries(plan.customNetworks))
    customNetworks[name] = { ...network, up: direction(network.up), down: direction(network.down) };
  return { ...plan, customNetworks };
}

function unknownKeyLine(document: Document, counter: LineCounter, issue: z.core.$ZodIssue): number {
  if (issue.code !== 'unrecognized_keys') return lineOf(document, counter, issue.path);
  return lineOf(document, counter, [...issue.path, issue.keys[0] ?? '']);
}

/** The nearest known key of the plan, or of an arm, for each that it has not. */
function meantKeys(fault: PlanFileFault | z.core.$ZodIssue): string {
  if (!('code' in fault) || fault.code !== 'unrecognized_keys') return '';
  const ofArm = fault.path.length === 2 && fault.path[0] === 'arms';
  if (fault.path.length > 0 && !ofArm) return '';
  const known = ofArm ? [...factorNames, 'label'] : Object.keys(planFileSchema.shape);
  const listed = ofArm ? `An arm has ${known.join(', ')}` : '';
  const meant = fault.keys.map((key) => didYouMean(key, known, listed));
  return meant.map((question) => (question === '' ? '' : `. ${question}`)).join('');
}

/** What is wrong in more places than this is seldom mended place by place. */
const mostShownLines = 20;

/** What is wrong with a log-in is said without repeating it. */
function mayBeSecret([first, second]: readonly PropertyKey[]): boolean {
  return first === 'live' && second !== undefined && Object.hasOwn(accessOptionsShape, second);
}

/** Something in a plan file that names what does not exist. */
export interface PlanFileFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Reads a plan file. `faultsOf` finds what the schema cannot know, such as names of workloads. The raw form is returned so that the command line can override it before defaults apply.
 *
 * @throws H2h3Error `bad-input` naming file, line, what was expected and what was got.
 */
export function parsePlanFile(
  text: string,
  file: string,
  faultsOf: (input: PlanFileInput) => readonly PlanFileFault[] = () => [],
): PlanFileInput {
  const { document, counter, value } = readYaml(text, file);
  const parsed = planFileSchema.safeParse(value);
  const describe = (line: number, fault: PlanFileFault): string => {
    const { path: place } = fault;
    const message = fault.message + meantKeys(fault);
    const isTold = place.length > 0 && !mayBeSecret(place);
    const got = isTold ? `, got ${describeValue(document.getIn([...place], false))}` : '';
    return `${file}:${line}: ${place.length === 0 ? '' : `${place.join('.')}: `}${message}${got}`;
  };
  const lines = parsed.success
    ? faultsOf(value as PlanFileInput).map((fault) => describe(lineOf(document, counter, fault.path), fault))
    : parsed.error.issues.map((issue) => describe(unknownKeyLine(document, counter, issue), issue));
  const more = lines.length - mostShownLines;
  if (more > 0) lines.splice(mostShownLines, more, `and ${more} more`);
  if (lines.length === 0) return withTracesBeside(value as PlanFileInput, path.dirname(file));
  throw new H2h3Error('bad-input', `the plan file is malformed\n  ${lines.join('\n  ')}`, {
    context: { file },
    next: 'Mend these lines; `npx h2h3 plan FILE` checks the file without running it.',
  });
}
