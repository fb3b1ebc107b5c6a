import { megabitsPerSecond } from '../model/units.ts';
import type { Metric } from './metric.ts';

export const uploadMbps: Metric = {
  name: 'uploadMbps',
  title: 'upload throughput',
  meaning: 'Body bits over the upload time.',
  source: 'W3C Resource Timing, requestStart to responseEnd',
  unit: 'Mbit/s',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: true,
  kinds: ['upload'],
  onDeadline: 'rate',
  formulas: {
    upload: ({ bytes, totalMs }) =>
      totalMs !== null && totalMs > 0 ? megabitsPerSecond(bytes, totalMs) : null,
  },
};
