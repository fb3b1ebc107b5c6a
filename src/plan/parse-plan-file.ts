import path from 'node:path';
import { isNode, type Document, type LineCounter } from 'yaml';
import type { z } from 'zod';
import { H2h3Error } from '../core/model/errors.ts';
import { withCurrentNamesOf } from '../core/factors/former-names.ts';
import { factorNames } from '../core/factors/registry.ts';
import { accessOptionsShape } from '../core/model/live-access.ts';
import { didYouMean } from '../core/model/nearest-name.ts';
import { claimsOf, type Question } from '../core/model/question.ts';
import { isReadyAudience } from './audience/ready/registry.ts';
import {
  planDocumentParts,
  planFileSchema,
  scaleNames,
  type PlanFileInput,
  type ScaleName,
} from './plan-file.ts';
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

/** Traces, schedules and audiences are named as seen from the plan file; a run that is resumed from another folder must find them too. */
function withFilesNextTo(written: PlanFileInput, folder: string): PlanFileInput {
  const plan =
    typeof written.audience === 'string' && !isReadyAudience(written.audience)
      ? { ...written, audience: path.resolve(folder, written.audience) }
      : written;
  if (plan.customNetworks === undefined) return plan;
  const direction = (given: CustomNetwork['up']): CustomNetwork['up'] => ({
    ...given,
    ...(given.trace === undefined || given.trace.format === 'generated'
      ? {}
      : { trace: { ...given.trace, file: path.resolve(folder, given.trace.file) } }),
    ...(given.scheduleFile === undefined ? {} : { scheduleFile: path.resolve(folder, given.scheduleFile) }),
  });
  const customNetworks: Record<string, CustomNetwork> = {};
  for (const [name, network] of Object.entries(plan.customNetworks))
    customNetworks[name] = { ...network, up: direction(network.up), down: direction(network.down) };
  return { ...plan, customNetworks };
}

/** What a plan that answers a question has to find stands among what was published, so that it is the same before and after the run. */
function withClaims(plan: PlanFileInput, question: Question | undefined): PlanFileInput {
  return question === undefined
    ? plan
    : { ...plan, published: [...claimsOf(question), ...(plan.published ?? [])] };
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
  const ofPlan = { ...planFileSchema.shape, ...planDocumentParts.shape };
  const known = ofArm ? [...factorNames, 'label'] : Object.keys(ofPlan);
  const listed = ofArm ? `An arm has ${known.join(', ')}` : '';
  const meant = fault.keys.map((key) => didYouMean(key, known, listed));
  return meant.map((question) => (question === '' ? '' : `. ${question}`)).join('');
}

/** What is wrong in more places than this is seldom fixed place by place. */
const maxShownLines = 20;

/** What is wrong with a log-in is said without repeating it. */
function mayBeSecret([first, second]: readonly PropertyKey[]): boolean {
  return first === 'live' && second !== undefined && Object.hasOwn(accessOptionsShape, second);
}

/** Something in a plan file that names what does not exist. */
export interface PlanFileFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What a plan file says: a plan, or one at each scale, and what it repeats of a study or answers. */
export interface PlanDocument extends Pick<z.infer<typeof planDocumentParts>, 'experiment' | 'question'> {
  /** What runs without `--scale`: the quick one of a plan with scales. Defaults are not yet filled in. */
  readonly plan: PlanFileInput;
  readonly scales?: Readonly<Record<ScaleName, PlanFileInput>>;
  /** Names of before of factors that the file has; the plans have those of today. */
  readonly formerNames: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
type FaultsOf = (input: PlanFileInput) => readonly PlanFileFault[];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One plan of a file: of a file with scales what all of them share, and what the scale says besides. */
interface Reading {
  readonly scale?: ScaleName;
  readonly own: Fields;
  readonly plan: unknown;
}

function readingsOf(value: unknown): readonly Reading[] {
  if (!isFields(value)) return [{ own: {}, plan: value }];
  const shared = Object.fromEntries(
    Object.entries(value).filter(([name]) => !Object.hasOwn(planDocumentParts.shape, name)),
  );
  const parsed = planDocumentParts.shape.scales.safeParse(value['scales']);
  if (!parsed.success || parsed.data === undefined) return [{ own: {}, plan: shared }];
  const { data } = parsed;
  return scaleNames.map((scale) => ({ scale, own: data[scale], plan: { ...shared, ...data[scale], scale } }));
}

/** Where a fault of a reading is in the file. */
function pathInFile({ scale, own }: Reading, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const isOwn = scale !== undefined && path[0] !== undefined && Object.hasOwn(own, path[0]);
  return isOwn ? ['scales', scale, ...path] : path;
}

function issuePathInFile(reading: Reading, issue: z.core.$ZodIssue): readonly PropertyKey[] {
  if (issue.code !== 'unrecognized_keys') return pathInFile(reading, issue.path);
  return pathInFile(reading, [...issue.path, issue.keys[0] ?? '']).slice(0, -1);
}

/**
 * Reads a plan file, with scales or without. `faultsOf` finds what the schema cannot know, such as names of workloads. The
 * raw form is returned so that the command line can override it before defaults apply.
 *
 * @throws H2h3Error `bad-input` naming file, line, what was expected and what was got.
 */
export function parsePlanDocument(text: string, file: string, faultsOf: FaultsOf = () => []): PlanDocument {
  const { document, counter, value: written } = readYaml(text, file);
  const { value, former } = withCurrentNamesOf(text, written);
  const faultWords = (line: number, place: readonly PropertyKey[], fault: PlanFileFault): string => {
    const message = fault.message + meantKeys(fault);
    const isTold = place.length > 0 && !mayBeSecret(fault.path);
    const got = isTold ? `, got ${describeValue(document.getIn([...place], false))}` : '';
    return `${file}:${line}: ${place.length === 0 ? '' : `${place.join('.')}: `}${message}${got}`;
  };
  const describeIssue = (issue: z.core.$ZodIssue, place: readonly PropertyKey[]): string =>
    faultWords(unknownKeyLine(document, counter, { ...issue, path: [...place] }), place, issue);
  const readings = readingsOf(value);
  const parts = planDocumentParts.safeParse(isFields(value) ? value : {});
  const lines = [
    ...(parts.success ? [] : parts.error.issues.map((issue) => describeIssue(issue, issue.path))),
    ...readings.flatMap((reading) => {
      const parsed = planFileSchema.safeParse(reading.plan);
      return parsed.success
        ? faultsOf(reading.plan as PlanFileInput).map((fault) => {
            const place = pathInFile(reading, fault.path);
            return faultWords(lineOf(document, counter, place), place, fault);
          })
        : parsed.error.issues.map((issue) => describeIssue(issue, issuePathInFile(reading, issue)));
    }),
  ];
  requireFaultless([...new Set(lines)], file);
  const { experiment, question } = parts.data ?? {};
  const plans = readings.map(({ plan }) =>
    withClaims(withFilesNextTo(plan as PlanFileInput, path.dirname(file)), question),
  );
  const [plan = {}] = plans;
  const [quick, standard, paper] = plans;
  return {
    plan,
    formerNames: former,
    ...(quick && standard && paper ? { scales: { quick, standard, paper } } : {}),
    ...(experiment === undefined ? {} : { experiment }),
    ...(question === undefined ? {} : { question }),
  };
}

function requireFaultless(lines: string[], file: string): void {
  if (lines.length === 0) return;
  const more = lines.length - maxShownLines;
  if (more > 0) lines.splice(maxShownLines, more, `and ${more} more`);
  throw new H2h3Error('bad-input', `the plan file is malformed\n  ${lines.join('\n  ')}`, {
    context: { file },
    next: 'Correct these lines; `npx h2h3 plan FILE` checks the file without running it.',
  });
}
