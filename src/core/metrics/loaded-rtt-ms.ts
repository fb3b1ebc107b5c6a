import { loadedRtt } from './evidence/sojourns.ts';
import type { Metric } from './metric.ts';

export const loadedRttMs: Metric = {
  name: 'loadedRttMs',
  title: 'round trip under load',
  meaning: 'Median of the link’s delay and its packets’ time in the queues, both ways, from navigation on.',
  source: 'RFC 8289, section 4.4',
  unit: 'ms',
  form: 'ratio',
  margin: 0.1,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'upload'],
  onDeadline: 'missing',
  formulas: { queue: (queue) => loadedRtt(queue, 0.5) },
};
