import type { Metric } from './metric.ts';

export const uploadMs: Metric = {
  name: 'uploadMs',
  title: 'upload time',
  meaning: 'Request sent to the end of the answer, which the server gives when it has the whole body.',
  source: 'W3C Resource Timing, requestStart to responseEnd',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['upload'],
  onDeadline: 'time',
  formulas: {
    upload: ({ totalMs }) => totalMs,
  },
};
