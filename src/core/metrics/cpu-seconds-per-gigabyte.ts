import type { Metric } from './metric.ts';

const bytesPerGigabyte = 1e9;

export const cpuSecondsPerGigabyte: Metric = {
  name: 'cpuSecondsPerGigabyte',
  title: 'CPU time per gigabyte',
  meaning: 'CPU seconds of the whole browser for each gigabyte received; of uploads, sent.',
  unit: 's/GB',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'upload'],
  onDeadline: 'missing',
  formulas: {
    cpu: ({ allSeconds, carriedBytes }) =>
      carriedBytes > 0 ? allSeconds / (carriedBytes / bytesPerGigabyte) : null,
  },
};
