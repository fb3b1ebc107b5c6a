import type { Metric } from './metric.ts';

export const cpuSeconds: Metric = {
  name: 'cpuSeconds',
  title: 'CPU time of the browser',
  meaning: 'CPU time of all processes of the browser during the trial.',
  unit: 's',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'messages'],
  onDeadline: 'missing',
  formulas: {
    cpu: ({ allSeconds }) => allSeconds,
  },
};
