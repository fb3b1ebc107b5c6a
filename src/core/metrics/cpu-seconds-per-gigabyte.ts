import type { Metric } from './metric.ts';

const bytesPerGigabyte = 1e9;

export const cpuSecondsPerGigabyte: Metric = {
  name: 'cpuSecondsPerGigabyte',
  title: 'CPU time per gigabyte',
  meaning: 'CPU seconds of the whole browser for each gigabyte received.',
  unit: 's/GB',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    cpu: ({ allSeconds, receivedBytes }) =>
      receivedBytes > 0 ? allSeconds / (receivedBytes / bytesPerGigabyte) : null,
  },
};
