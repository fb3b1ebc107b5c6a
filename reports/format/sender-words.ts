import type { MeasuredProperty, SenderVerdict } from '../../src/core/model/senders.ts';
import { formatMeasured } from './numbers.ts';

/** A sign before each, so that no verdict is told by a colour alone. */
export const senderVerdictSigns: Readonly<Record<SenderVerdict, string>> = {
  'as-rfc': '≈',
  'as-own-tcp': '≈',
  differs: '▼',
  'not-decided': '?',
  reference: '·',
};

/** In the words of the page, the terminal and the documentation. */
export const senderVerdictWords: Readonly<Record<SenderVerdict, string>> = {
  'as-rfc': 'as its RFC',
  'as-own-tcp': 'as its own TCP',
  differs: 'differs',
  'not-decided': 'not decided',
  reference: 'for comparison',
};

/** `8 packets to 10 packets`; empty where there is no interval. */
export function senderRange({ interval }: Pick<MeasuredProperty, 'interval'>, unit: string): string {
  return interval === null ? '' : interval.map((end) => formatMeasured(end, unit)).join(' to ');
}
