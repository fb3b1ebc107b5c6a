import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const messageP99Ms: Metric = {
  name: 'messageP99Ms',
  title: 'time of a message, 99th percentile',
  meaning: 'From sending to echo: 99 % of those that came back took no longer.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  formulas: {
    messages: ({ times }) => nearestRank(times.sortedMs, 0.99),
  },
};
