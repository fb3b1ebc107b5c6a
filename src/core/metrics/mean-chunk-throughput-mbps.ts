import { mean } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const meanChunkThroughputMbps: Metric = {
  name: 'meanChunkThroughputMbps',
  title: 'mean chunk throughput',
  meaning: 'Mean over media chunks of their bits over the time from request to last byte.',
  unit: 'Mbit/s',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'rate',
  formulas: {
    video: ({ throughputsMbps }) => mean(throughputsMbps),
  },
};
