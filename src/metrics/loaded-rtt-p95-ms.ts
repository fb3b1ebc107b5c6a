import { loadedRtt } from './evidence/sojourns.ts';
import type { Metric } from './metric.ts';

export const loadedRttP95Ms: Metric = {
  name: 'loadedRttP95Ms',
  title: 'slow round trips under load',
  meaning: 'The 95th percentile of the same round trips: one in twenty takes longer.',
  source: 'RFC 8289, section 4.4 (time of each packet in the queue)',
  unit: 'ms',
  form: 'ratio',
  margin: 0.1,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  formulas: { queue: (queue) => loadedRtt(queue, 0.95) },
};
