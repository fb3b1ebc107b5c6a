import type { Metric } from './metric.ts';

export const stepMs: Metric = {
  name: 'stepMs',
  title: 'time of the step',
  meaning: 'Start of a step of the script to the end of what its function waits for.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['journey'],
  onDeadline: 'missing',
  formulas: {
    step: ({ startEpochMs, endEpochMs }) => endEpochMs - startEpochMs,
  },
};
