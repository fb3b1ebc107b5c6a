import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const messageP50Ms: Metric = {
  name: 'messageP50Ms',
  title: 'time of a message, median',
  meaning: 'From sending to echo: half of those that came back took no longer.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  formulas: {
    messages: ({ times }) => nearestRank(times.sortedMs, 0.5),
  },
};
