import { cpuMetric } from './cpu-metric.ts';

export const networkingCpuSeconds = cpuMetric({
  name: 'networkingCpuSeconds',
  title: 'CPU time of the networking process',
  meaning: 'CPU time of the browser process that does the networking, during the trial.',
  unit: 's',
  formula: ({ networkingSeconds }) => networkingSeconds,
});
