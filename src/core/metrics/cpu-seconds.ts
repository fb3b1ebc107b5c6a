import { cpuMetric } from './cpu-metric.ts';

export const cpuSeconds = cpuMetric({
  name: 'cpuSeconds',
  title: 'CPU time of the browser',
  meaning: 'CPU time of all processes of the browser during the trial.',
  unit: 's',
  formula: ({ allSeconds }) => allSeconds,
});
