import { countedMetric } from './counted-metric.ts';

export const receiveCallPercent = countedMetric({
  name: 'receiveCallPercent',
  title: 'share of receive calls in the time of system calls',
  meaning:
    'Share of reading and receiving in the time of the client’s system calls, but for those that wait.',
  source: 'Shreedhar et al. 2022, §VI-B, table II',
  unit: '%',
  needsEvidence: true,
});
