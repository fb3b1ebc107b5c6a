import { loadedRtt } from './evidence/sojourns.ts';
import type { Metric } from './metric.ts';

export const loadedRttP95Ms: Metric = {
  name: 'loadedRttP95Ms',
  title: 'slow round trips under load',
  isPlural: true,
  meaning: 'One of the same round trips in twenty takes longer.',
  source: 'RFC 8289, section 4.4',
  unit: 'ms',
  form: 'ratio',
  margin: 0.1,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'upload'],
  onDeadline: 'missing',
  formulas: { queue: (queue) => loadedRtt(queue, 0.95) },
};
