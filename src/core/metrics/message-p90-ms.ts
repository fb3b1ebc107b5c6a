import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const messageP90Ms: Metric = {
  name: 'messageP90Ms',
  title: 'time of a message, 90th percentile',
  meaning: 'From sending to echo: 90 % of those that came back took no longer.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  formulas: {
    messages: ({ times }) => nearestRank(times.sortedMs, 0.9),
  },
};
