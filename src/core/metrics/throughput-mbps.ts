import { megabitsPerSecond } from '../model/units.ts';
import type { Metric } from './metric.ts';

export const throughputMbps: Metric = {
  name: 'throughputMbps',
  title: 'throughput',
  meaning: 'Body bits over the time from request to last byte.',
  unit: 'Mbit/s',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: true,
  kinds: ['download'],
  onDeadline: 'rate',
  formulas: {
    download: ({ bytes, totalMs }) =>
      totalMs !== null && totalMs > 0 ? megabitsPerSecond(bytes, totalMs) : null,
  },
};
