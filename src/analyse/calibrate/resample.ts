import type { SeededRandom } from '../../core/model/seeded-random.ts';
import type { RecordedPair } from './recorded-blocks.ts';

/** What is done to the candidate's value: 1.2 times it, or 50 more than it. */
export interface Injection {
  readonly factor?: number;
  readonly plus?: number;
}

/** Per-block effects of one pair, in both orders: the arms are the same, so either may stand for the candidate. */
export type TwoEffects = readonly [asRun: number, exchanged: number];

function effectOf(
  baseline: number,
  candidate: number,
  form: 'ratio' | 'difference',
  injection: Injection,
): number {
  const { factor = 1, plus = 0 } = injection;
  const changed = candidate * factor + plus;
  return form === 'ratio' ? Math.log(changed / baseline) : changed - baseline;
}

/** The effects that each recorded block would have had with the injection. */
export function injectedEffects(
  pairs: readonly RecordedPair[],
  form: 'ratio' | 'difference',
  injection: Injection,
): TwoEffects[] {
  return pairs.map(({ first, second }) => [
    effectOf(first, second, form, injection),
    effectOf(second, first, form, injection),
  ]);
}

/** Which recorded block stands for each block of a resampled run, and in which order its arms. */
export type Draw = readonly { readonly index: number; readonly exchanged: 0 | 1 }[];

/** Blocks drawn with replacement (Efron's bootstrap), the arms of each exchanged at random. */
export function drawBlocks(count: number, blocks: number, random: SeededRandom): Draw {
  return Array.from({ length: blocks }, () => ({
    index: random.integer(count),
    exchanged: random.next() < 0.5 ? 0 : 1,
  }));
}

export function effectsOfDraw(effects: readonly TwoEffects[], draw: Draw): number[] {
  return draw.flatMap(({ index, exchanged }) => effects[index]?.[exchanged] ?? []);
}
