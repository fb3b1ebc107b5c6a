/** A fraction as per cent: one decimal below 10 %, none from 10 % on. Without sign. */
export function percent(fraction: number): string {
  const value = Math.abs(fraction) * 100;
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} %`;
}

/** A magnitude with its unit, at most three significant digits, without sign. */
export function quantity(value: number, unit: string): string {
  const magnitude = Math.abs(value);
  const digits = magnitude >= 100 || magnitude === 0 ? magnitude.toFixed(0) : magnitude.toPrecision(3);
  return [String(Number(digits)), unit].filter(Boolean).join(' ');
}

/** A p value as `p = 0.012` or `p < 0.001`, after rounding up rather than to a smaller one. */
export function pText(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  return `p = ${(Math.ceil(p * 1000 - 1e-9) / 1000).toFixed(3)}`;
}

/** `is` or `are`. */
export function be(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** `1 block`, `8 blocks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
