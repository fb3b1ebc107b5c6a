import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const sendLateMs: Metric = {
  name: 'sendLateMs',
  title: 'lateness of sending',
  meaning:
    'Delay from a message’s scheduled time to its sending, 99th percentile. Page or machine caused it.',
  unit: 'ms',
  form: 'difference',
  margin: 2,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  formulas: {
    messages: ({ times }) =>
      nearestRank(
        times.lateMs.toSorted((a, b) => a - b),
        0.99,
      ),
  },
};
