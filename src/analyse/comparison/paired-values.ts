/** Values of one metric per block: null where an arm has none in that block. */
export type PairedValue = [blockIndex: number, baseline: number | null, candidate: number | null];

/** A block in which both arms have a value. */
export interface CompletePair {
  readonly blockIndex: number;
  readonly baseline: number;
  readonly candidate: number;
  /** Name of the machine that ran the block; absent where it is not known. */
  readonly host?: string | undefined;
}

/** Name of the host of each block, as far as records tell. */
export type HostsByBlock = ReadonlyMap<number, string>;

export function completePairs(
  values: readonly PairedValue[],
  hosts: HostsByBlock = new Map(),
): CompletePair[] {
  return values.flatMap(([blockIndex, baseline, candidate]) =>
    baseline === null || candidate === null
      ? []
      : [{ blockIndex, baseline, candidate, host: hosts.get(blockIndex) }],
  );
}

/** Every value of one arm, also from blocks in which the other arm has none. */
export function armValues(values: readonly PairedValue[], arm: 'baseline' | 'candidate'): number[] {
  const column = arm === 'baseline' ? 1 : 2;
  return values.flatMap((row) => row[column] ?? []);
}
