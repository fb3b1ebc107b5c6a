import { countedMetric } from './counted-metric.ts';

export const transportPacketsReceived = countedMetric({
  name: 'transportPacketsReceived',
  title: 'packets handed to the transport',
  meaning:
    'Packets that TCP or QUIC in the client had to deal with: what segmentation offload has joined counts as one for TCP.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'packets',
});
