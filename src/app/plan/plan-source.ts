import { existsSync, statSync } from 'node:fs';
import { H2h3Error } from '../../core/model/errors.ts';
import { didYouMean, similarNames } from '../../core/model/nearest-name.ts';
import type { Workload } from '../../core/model/workload.ts';
import { parsePlanDocument, type PlanDocument } from '../../plan/parse-plan-file.ts';
import { scaleNames, type PlanFileInput, type ScaleName } from '../../plan/plan-file.ts';
import { readInput } from '../../core/system/read-input.ts';
import { presetIds, presetNamed } from '../presets/registry.ts';
import { unknownNames } from './known-names.ts';
import { shellWord } from '../../core/model/command-words.ts';

/**
 * What a preset or a plan file says, at a scale where it has some; nothing without either.
 *
 * @throws H2h3Error `usage` for a name that is neither
 */
export function readSource(
  source: string | undefined,
  scale: string | undefined,
  catalogue: ReadonlyMap<string, Workload>,
): Pick<PlanDocument, 'plan' | 'formerNames'> {
  const document: PlanDocument =
    source === undefined
      ? { plan: {}, formerNames: [] }
      : (presetNamed(source) ?? readFile(source, catalogue));
  return scale === undefined ? document : { ...document, plan: planAtScale(document, scale, source) };
}

function readFile(source: string, catalogue: ReadonlyMap<string, Workload>): PlanDocument {
  if (existsSync(source)) {
    if (!statSync(source).isFile())
      throw new H2h3Error('usage', `${source} is no regular file, so no plan file`, {
        next: 'To continue a run: `npx h2h3 run --resume DIR`.',
      });
    const text = readInput(source, { what: 'a plan file' }).toString('utf8');
    return parsePlanDocument(text, source, (input) => unknownNames(input, catalogue));
  }
  if (/^https?:\/\//i.test(source))
    throw new H2h3Error('usage', `${source} is an address, and neither a preset nor a plan file`, {
      next: `npx h2h3 run --url ${shellWord(source)}`,
    });
  const looksLikeFile = /[./\\]/.test(source);
  throw new H2h3Error(
    'usage',
    looksLikeFile ? `no such plan file: ${source}` : `unknown preset "${source}"`,
    {
      context: {
        expected: `a preset (${similarNames(source, presetIds).join(', ')}, …) or the path of a plan file`,
        got: source,
      },
      next: didYouMean(source, presetIds, '`npx h2h3 describe presets` lists the presets.'),
    },
  );
}

/** @throws H2h3Error `usage` for a name that is no scale */
export function scaleNamed(scale: string): ScaleName {
  const name = scaleNames.find((scaleName) => scaleName === scale);
  if (name !== undefined) return name;
  throw new H2h3Error('usage', `unknown scale "${scale}"`, {
    context: { expected: scaleNames.join(', '), got: scale },
    next: didYouMean(scale, scaleNames),
  });
}

function planAtScale({ scales }: PlanDocument, scale: string, source: string | undefined): PlanFileInput {
  const plan = scales?.[scaleNamed(scale)];
  if (plan !== undefined) return plan;
  throw new H2h3Error('usage', '--scale is for plans with scales, such as those of the studies', {
    context: {
      expected: 'a preset that `npx h2h3 studies` lists, or a plan file with scales',
      got: source ?? 'no plan',
    },
  });
}
