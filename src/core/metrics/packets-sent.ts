import { countedMetric } from './counted-metric.ts';

export const packetsSent = countedMetric({
  name: 'packetsSent',
  title: 'packets sent',
  isPlural: true,
  meaning: 'Packets that the client’s interface sent.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'packets',
});
