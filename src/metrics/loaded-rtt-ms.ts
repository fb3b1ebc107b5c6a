import { loadedRtt } from './evidence/sojourns.ts';
import type { Metric } from './metric.ts';

export const loadedRttMs: Metric = {
  name: 'loadedRttMs',
  title: 'round trip under load',
  meaning:
    'Median of the delay of the client’s link and the time that its packets spend in the queues, both ways, as the link counts it from navigation on.',
  source: 'RFC 8289, section 4.4 (time of each packet in the queue)',
  unit: 'ms',
  form: 'ratio',
  margin: 0.1,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  formulas: { queue: (queue) => loadedRtt(queue, 0.5) },
};
