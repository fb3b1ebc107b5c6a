/**
 * How figures are rounded for people, the same in every sentence, table and plot: values to three significant digits;
 * percentages to one decimal below 10 %, none from 10 % on, two below 0.1 %; p up, never to a smaller one.
 */

const thinSpace = '\u202f';

/** Groups of three from five digits on: `12 345`. */
export function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const parted = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, thinSpace) : whole;
  return fraction === undefined ? parted : `${parted}.${fraction}`;
}

function decimalsFor(magnitude: number, significant: number): number {
  if (magnitude === 0) return 0;
  return Math.min(6, Math.max(0, significant - 1 - Math.floor(Math.log10(magnitude))));
}

/** Digits of a magnitude, without sign and without zeros at the end: `3.14`, `12 345`. */
export function valueDigits(value: number, significant = 3): string {
  const magnitude = Math.abs(value);
  const fixed = magnitude.toFixed(decimalsFor(magnitude, significant));
  return grouped(fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed);
}

/** Digits of a percentage, without sign: `0.04`, `4.1`, `61`. */
export function percentDigits(percent: number): string {
  const magnitude = Math.abs(percent);
  const decimals = magnitude >= 9.95 ? 0 : magnitude >= 0.005 && magnitude < 0.095 ? 2 : 1;
  return grouped(magnitude.toFixed(decimals));
}

/** Digits of a percentage that somebody chose, such as a margin or a level: as it was chosen. */
export function chosenPercentDigits(percent: number): string {
  return String(Number(percent.toPrecision(3)));
}

/** Digits of a p of at least 0.001: `0.008`, `0.45`. */
export function pDigits(p: number): string {
  const decimals = p < 0.1 ? 3 : 2;
  const scale = 10 ** decimals;
  return (Math.ceil(p * scale - 1e-9) / scale).toFixed(decimals);
}
