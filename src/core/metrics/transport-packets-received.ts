import { countedMetric } from './counted-metric.ts';

export const transportPacketsReceived = countedMetric({
  name: 'transportPacketsReceived',
  title: 'packets handed to the transport',
  isPlural: true,
  meaning:
    'Packets that TCP or QUIC in the client handled; what segmentation offload joined counts as one for TCP.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'packets',
});
