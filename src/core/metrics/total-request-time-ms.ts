import type { Metric } from './metric.ts';

export const totalRequestTimeMs: Metric = {
  name: 'totalRequestTimeMs',
  title: 'total request time (last stream)',
  meaning: 'First request sent to the last byte of the last of the parallel streams.',
  source: 'Liu et al. 2025, §4.2',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['download'],
  onDeadline: 'time',
  formulas: {
    download: ({ totalMs }) => totalMs,
  },
};
