import { countedMetric } from './counted-metric.ts';

export const receiveCallPercent = countedMetric({
  name: 'receiveCallPercent',
  title: 'share of receive calls in the time of system calls',
  meaning:
    'Time of the client in read, recvfrom, recvmsg and their like, as a share of its time in all system calls but those that wait.',
  source: 'Shreedhar et al. 2022, §VI-B, table II',
  unit: '%',
  needsEvidence: true,
});
