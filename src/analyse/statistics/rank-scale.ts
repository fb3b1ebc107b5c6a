/** Digits that a measured difference keeps: what lies beyond them is the rounding of the arithmetic, not of the data. */
const significantDigits = 12;
const relativeRounding = 10 ** -significantDigits;

/**
 * Values minus `shift` as they are ranked: rounded to 12 significant digits, so that values which are equal on paper tie
 * although they were computed in another order, and exactly zero where value and shift are equal on paper.
 */
export function onRankScale(values: readonly number[], shift = 0): number[] {
  return values.map((value) => {
    const shifted = value - shift;
    if (!Number.isFinite(shifted)) return shifted;
    if (Math.abs(shifted) <= relativeRounding * Math.max(Math.abs(value), Math.abs(shift))) return 0;
    return Number(shifted.toPrecision(significantDigits));
  });
}
