/** A comparison's change and the medians of its arms. */
interface ChangeAndMedians {
  readonly ratio: number | null;
  readonly difference: number | null;
  readonly baseline: { readonly median: number | null };
  readonly candidate: { readonly median: number | null };
}

/** By so much of the larger side the change and that of the medians may differ before a reader who calculates is misled. */
const maxApart = 0.02;

/**
 * Whether the medians of both arms say the same change as the comparison. Its change is the middle of the changes block by block,
 * and their medians may move otherwise: then only the baseline's may stand next to the change. False without both medians.
 */
export function mediansAgree({ ratio, difference, baseline, candidate }: ChangeAndMedians): boolean {
  const from = baseline.median;
  const to = candidate.median;
  if (typeof from !== 'number' || typeof to !== 'number') return false;
  return typeof ratio === 'number'
    ? Math.abs(to / from - ratio) <= maxApart * Math.max(1, ratio)
    : Math.sign(to - from) * (difference ?? 0) >= 0;
}
