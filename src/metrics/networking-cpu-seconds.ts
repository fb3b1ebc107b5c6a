import type { Metric } from './metric.ts';

export const networkingCpuSeconds: Metric = {
  name: 'networkingCpuSeconds',
  title: 'CPU time of the networking process',
  meaning: 'CPU time of the browser process that does the networking, during the trial.',
  unit: 's',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'messages'],
  onDeadline: 'missing',
  formulas: {
    cpu: ({ networkingSeconds }) => networkingSeconds,
  },
};
