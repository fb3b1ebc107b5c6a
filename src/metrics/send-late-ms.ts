import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const sendLateMs: Metric = {
  name: 'sendLateMs',
  title: 'lateness of sending',
  meaning: 'How long after its time a message left: 99 % no later. Page or machine caused it.',
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
