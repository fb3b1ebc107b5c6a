import type { Metric } from './metric.ts';

export const fallbackMs: Metric = {
  name: 'fallbackMs',
  title: 'time to the first byte, waiting for QUIC included',
  meaning: 'Navigation start to the first byte of the main document, in arms that set `udp` or `discovery`.',
  unit: 'ms',
  form: 'difference',
  margin: 50,
  higherIsBetter: false,
  kinds: ['page'],
  onDeadline: 'time',
  formulas: {
    page: ({ timings, udp, discovery }) =>
      udp === undefined && discovery === undefined ? undefined : timings.responseStartMs,
  },
};
