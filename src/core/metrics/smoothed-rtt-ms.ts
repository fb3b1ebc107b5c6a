import { countedMetric } from './counted-metric.ts';

export const smoothedRttMs = countedMetric({
  name: 'smoothedRttMs',
  title: 'smoothed round-trip time',
  meaning: 'As the transport stack itself reports it.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'ms',
  needsEvidence: true,
});
