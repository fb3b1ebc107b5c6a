import type { MeasuredProperty, Senders, SenderVerdict } from '../../src/core/model/senders.ts';
import { formatBytes, formatMeasured } from './numbers.ts';

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

/** What was loaded, and what may be; empty where nothing counted it. */
export function senderTraffic({ traffic }: Pick<Senders, 'traffic'>): string {
  if (traffic === undefined) return '';
  const { limitBytes, loadedBytes, property } = traffic;
  return `Traffic: at most ${formatBytes(loadedBytes)} for a property of a server (${property}). The limit is ${formatBytes(limitBytes)}.`;
}
