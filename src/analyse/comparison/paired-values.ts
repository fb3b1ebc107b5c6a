/** Values of one metric per block: null where an arm has none in that block. */
export type PairedValue = [blockIndex: number, baseline: number | null, candidate: number | null];

/** A block in which both arms have a value. */
export interface CompletePair {
  readonly blockIndex: number;
  readonly baseline: number;
  readonly candidate: number;
}

export function completePairs(values: readonly PairedValue[]): CompletePair[] {
  return values.flatMap(([blockIndex, baseline, candidate]) =>
    baseline === null || candidate === null ? [] : [{ blockIndex, baseline, candidate }],
  );
}

/** Every value of one arm, also from blocks in which the other arm has none. */
export function armValues(values: readonly PairedValue[], arm: 'baseline' | 'candidate'): number[] {
  const column = arm === 'baseline' ? 1 : 2;
  return values.flatMap((row) => row[column] ?? []);
}
