export interface Rounds {
  readonly counted: number;
  /** Rounds before them whose samples are dropped: the first load of anything is slower. */
  readonly warmUps: number;
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
