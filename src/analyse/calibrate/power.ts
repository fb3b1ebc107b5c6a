import type { PowerRow } from '../../core/model/calibration.ts';
import type { Verdict } from '../../core/model/summary.ts';
import type { SeededRandom } from '../../core/model/seeded-random.ts';
import { deriveSeed, seededRandom } from '../../core/model/seeded-random.ts';
import { defaultAlpha } from '../comparison/comparison-rules.ts';
import type { ErrorLevels } from '../comparison/error-levels.ts';
import { fixedLevels } from '../comparison/error-levels.ts';
import { sideVerdict } from '../comparison/verdict.ts';
import { causeOf } from '../gate/attribution.ts';
import { interimSchedule } from '../comparison/interim-schedule.ts';
import { levelsAtInterim, interimBlocks, sequentialBlocks } from '../comparison/interim-levels.ts';
import { locationTests, testMargin } from '../statistics/location-test.ts';
import type { RecordedPair, RecordedSeries } from './recorded-blocks.ts';
import { drawBlocks, effectsOfDraw, injectedEffects } from './resample.ts';
import type { Injection } from './resample.ts';

/** Run lengths whose detection share is given. */
export const powerBlocks: readonly number[] = Object.freeze([6, 8, 12, 16, 20]);

export interface PowerOptions {
  readonly resamples: number;
  readonly seed: number;
  /** Comparisons in the primary family: p is multiplied by it, which bounds Holm. A gate over h2 and h3 has 2. */
  readonly comparisons: number;
}

interface Rule {
  readonly scaleMargin: number;
  readonly higherIsBetter: boolean;
  readonly comparisons: number;
}

/** The verdict at the first step of Holm, which bounds that of the family. */
function verdictOf(effects: readonly number[], levels: ErrorLevels, rule: Rule): Verdict {
  const test = locationTests['signed-rank'];
  const margins = testMargin(test, effects, rule.scaleMargin);
  if (margins === null || effects.length < test.minValues) return 'inconclusive';
  const alpha = defaultAlpha / rule.comparisons;
  if (margins.pBeyondMargin < levels.beyond(alpha, test.name))
    return sideVerdict(margins.side, rule.higherIsBetter);
  return margins.pEquivalent < levels.equivalent(alpha, test.name) ? 'equivalent' : 'inconclusive';
}

/** Whether one resampled run of so many blocks at these levels finds what was injected. */
type Finds = (blocks: number, levels: ErrorLevels) => boolean;

interface Shares {
  readonly detected: PowerRow['detected'];
  readonly sequential: number;
}

/** Detection shares over runs; `begin` draws a run of 20 blocks and answers for its first blocks. */
function shares(begin: (random: SeededRandom) => Finds, options: PowerOptions): Shares {
  const { resamples, seed, comparisons } = options;
  const random = seededRandom(seed);
  const counts = powerBlocks.map(() => 0);
  const interims = interimSchedule(
    interimBlocks('signed-rank', comparisons, defaultAlpha, sequentialBlocks),
    [],
    null,
  );
  let sequential = 0;
  for (let run = 0; run < resamples; run++) {
    const finds = begin(random);
    for (const [index, blocks] of powerBlocks.entries())
      if (finds(blocks, fixedLevels)) counts[index] = (counts[index] ?? 0) + 1;
    if (interims.some(({ blocks }, interim) => finds(blocks, levelsAtInterim(interims, interim))))
      sequential++;
  }
  return {
    detected: powerBlocks.map((blocks, index) => ({ blocks, share: (counts[index] ?? 0) / resamples })),
    sequential: sequential / resamples,
  };
}

const longest = powerBlocks.at(-1) ?? 20;

function ruleOf({ example, form }: RecordedSeries, comparisons: number): Rule {
  const scaleMargin = form === 'ratio' ? Math.log1p(example.margin) : example.margin;
  return { scaleMargin, higherIsBetter: example.higherIsBetter, comparisons };
}

/** How often a regression injected into recorded A/A blocks is found worse, by number of blocks. */
export function detectionShare(
  series: RecordedSeries,
  words: string,
  injection: Injection,
  options: PowerOptions,
): PowerRow {
  const effects = injectedEffects(series.pairs, series.form, injection);
  const rule = ruleOf(series, options.comparisons);
  const { workload, metric } = series.example;
  const found = shares(
    (random) => {
      const sample = effectsOfDraw(effects, drawBlocks(effects.length, longest, random));
      return (blocks, levels) => verdictOf(sample.slice(0, blocks), levels, rule) === 'worse';
    },
    { ...options, seed: deriveSeed(options.seed, words, workload, metric, series.arm) },
  );
  return { injection: words, workload, metric, arm: series.arm, resamples: options.resamples, ...found };
}

/** Blocks that both series have, in the same order. */
function joined(a: readonly RecordedPair[], b: readonly RecordedPair[]): [RecordedPair[], RecordedPair[]] {
  const blockKey = ({ runIndex, blockIndex }: RecordedPair): string => `${runIndex}/${blockIndex}`;
  const other = new Map(b.map((pair) => [blockKey(pair), pair]));
  const both = a.flatMap((pair) => {
    const partner = other.get(blockKey(pair));
    return partner === undefined ? [] : [[pair, partner] as const];
  });
  return [both.map(([pair]) => pair), both.map(([, partner]) => partner)];
}

export interface AttributionShareOptions {
  readonly baseline: RecordedSeries;
  readonly candidate: RecordedSeries;
  readonly words: string;
  readonly injection: Injection;
  readonly options: PowerOptions;
}

/**
 * How often a regression injected into the candidate protocol alone is blamed on that protocol: it is found worse, the
 * other is not, and the difference in differences is worse.
 */
export function attributionShare({
  baseline,
  candidate,
  words,
  injection,
  options,
}: AttributionShareOptions): PowerRow {
  const [first, second] = joined(baseline.pairs, candidate.pairs);
  const unchanged = injectedEffects(first, baseline.form, {});
  const changed = injectedEffects(second, candidate.form, injection);
  const rule = ruleOf(candidate, options.comparisons);
  const { workload, metric } = candidate.example;
  const found = shares(
    (random) => {
      const draw = drawBlocks(first.length, longest, random);
      const a = effectsOfDraw(unchanged, draw);
      const b = effectsOfDraw(changed, draw);
      const double = b.map((effect, index) => effect - (a[index] ?? 0));
      return (blocks, levels) => {
        const of = (effects: readonly number[], comparisons: number): Verdict =>
          verdictOf(effects.slice(0, blocks), levels, { ...rule, comparisons });
        return causeOf(of(a, rule.comparisons), of(b, rule.comparisons), of(double, 1)) === 'protocol';
      };
    },
    { ...options, seed: deriveSeed(options.seed, words, workload, metric) },
  );
  const arm = `${candidate.arm} and not ${baseline.arm}`;
  return { injection: words, workload, metric, arm, resamples: options.resamples, ...found };
}
