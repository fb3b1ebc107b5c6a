import { countedMetric } from './counted-metric.ts';

export const cpuSampledPercent = countedMetric({
  name: 'cpuSampledPercent',
  title: 'CPU use in samples',
  meaning:
    'All processes of the client, percent of one CPU: mean of samples of 500 ms. Missing for loads below 250 ms.',
  source: 'Shreedhar et al. 2022, §VI',
  unit: '%',
});
