import { countedMetric } from './counted-metric.ts';

export const packetToAckMs = countedMetric({
  name: 'packetToAckMs',
  title: 'time from a packet to its acknowledgement',
  meaning:
    'Mean over the server’s data packets, from when one passes the server’s interface to the first packet that acknowledges it.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'ms',
  needsEvidence: true,
});
