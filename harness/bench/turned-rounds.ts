import { medianOf } from './bench-row.ts';

export interface Rounds {
  readonly counted: number;
  /** Rounds before them whose samples are dropped: the first load of anything is slower. */
  readonly warmUps: number;
}

/** What each round of one variant has beyond the same round of another. */
export function addedTo(base: readonly number[], added: readonly number[]): number[] {
  return added.map((value, round) => value - (base[round] ?? Number.NaN));
}

/** Where the centre of paired differences lies, with its interval of a level such as 0.95; null where there are too few of them. */
export type Centre = (
  differences: readonly number[],
  level: number,
) => { readonly estimate: number; readonly interval: readonly [number, number] } | null;

/**
 * One-sided upper 95 % bound of the centre of what was added, in percent of the median without it: the upper end of the two-sided
 * interval of 90 %. NaN where there are too few rounds.
 */
export function upperBoundPercent(
  addedMs: readonly number[],
  uninstrumentedMs: readonly number[],
  centreOf: Centre,
): number {
  const bound = centreOf(addedMs, 0.9)?.interval[1] ?? NaN;
  return (100 * bound) / (medianOf(uninstrumentedMs) ?? NaN);
}

/**
 * Samples of every variant, one a round. The order turns from round to round, so that what drifts on the machine meets all
 * variants alike, and samples of one round can be subtracted from each other.
 */
export async function turnedRounds<Variant, Sample>(
  variants: readonly Variant[],
  { counted, warmUps }: Rounds,
  measure: (variant: Variant, words: string) => Promise<Sample>,
): Promise<ReadonlyMap<Variant, readonly Sample[]>> {
  const samples = new Map<Variant, Sample[]>(variants.map((variant) => [variant, []]));
  for (let round = 0; round < warmUps + counted; round++)
    for (const at of variants.keys()) {
      const variant = variants[(at + round) % variants.length] as Variant;
      const words = round < warmUps ? 'not counted' : `${round - warmUps + 1} of ${counted}`;
      const sample = await measure(variant, words);
      if (round >= warmUps) samples.get(variant)?.push(sample);
    }
  return samples;
}
