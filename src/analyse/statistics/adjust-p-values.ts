import padjust from '@stdlib/stats-padjust';

/** `holm` bounds the chance of any false alarm in the family; `bh` (Benjamini–Hochberg) the share of false ones. */
export type Adjustment = 'holm' | 'bh';

/** p values adjusted within one family, in the same order. Nulls (no test possible) stay null and do not count. */
export function adjustPValues(pValues: readonly (number | null)[], method: Adjustment): (number | null)[] {
  const known = pValues.filter((p) => p !== null);
  const adjusted = known.length === 0 ? [] : padjust(known, method);
  let next = 0;
  return pValues.map((p) => (p === null ? null : (adjusted[next++] as number)));
}
