import { mean } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const messageMeanMs: Metric = {
  name: 'messageMeanMs',
  title: 'time of a message, mean',
  meaning: 'From sending to echo, of those that came back.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  formulas: {
    messages: ({ times }) => mean(times.sortedMs),
  },
};
