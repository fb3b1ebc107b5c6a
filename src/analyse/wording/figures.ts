import { pDigits, percentDigits, valueDigits } from '../../model/rounding.ts';
import type { WorkloadKind } from '../../model/workload.ts';

/** What one of each kind is called. */
export const kindNouns = {
  page: 'page',
  journey: 'journey',
  video: 'video',
  download: 'download',
  messages: 'exchange of messages',
} as const satisfies Readonly<Record<WorkloadKind, string>>;

/** A fraction as per cent, without sign. */
export function percent(fraction: number): string {
  return `${percentDigits(fraction * 100)} %`;
}

/** A magnitude with its unit, without sign. */
export function quantity(value: number, unit: string): string {
  return [valueDigits(value), unit].filter(Boolean).join(' ');
}

/** A p value as `p = 0.012` or `p < 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${pDigits(p)}`;
}

/** `is` or `are`. */
export function be(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** The same by what is spoken of: one noun may be a plural. */
export function beOf(nouns: readonly string[]): string {
  return be(nouns.length === 1 && /[^s]s$/.test(nouns[0] ?? '') ? 2 : nouns.length);
}

/** `1 block`, `8 blocks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
