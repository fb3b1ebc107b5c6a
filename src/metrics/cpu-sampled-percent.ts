import { countedMetric } from './counted-metric.ts';

export const cpuSampledPercent = countedMetric({
  name: 'cpuSampledPercent',
  title: 'CPU use in samples',
  meaning:
    'CPU use of all processes of the client together, percent of one CPU: mean of samples of 500 ms each. Missing where the load took less than half of one.',
  source: 'Shreedhar et al. 2022, §VI',
  unit: '%',
});
