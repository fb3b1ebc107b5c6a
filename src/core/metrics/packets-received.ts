import { countedMetric } from './counted-metric.ts';

export const packetsReceived = countedMetric({
  name: 'packetsReceived',
  title: 'packets received',
  isPlural: true,
  meaning: 'Packets that the client’s interface received.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'packets',
});
