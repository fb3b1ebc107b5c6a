import { countedMetric } from './counted-metric.ts';

export const syscalls = countedMetric({
  name: 'syscalls',
  title: 'system calls',
  isPlural: true,
  meaning: 'System calls of the client.',
  source: 'Zhang et al. 2024, §5.3',
  unit: 'calls',
  needsEvidence: true,
});
