import { sum } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const journeyMs: Metric = {
  name: 'journeyMs',
  title: 'time of the journey',
  meaning: 'Sum of the times of all named steps: what the user waits for.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['journey'],
  onDeadline: 'time',
  formulas: {
    journey: ({ steps }) => sum(steps.map(({ startEpochMs, endEpochMs }) => endEpochMs - startEpochMs)),
  },
};
