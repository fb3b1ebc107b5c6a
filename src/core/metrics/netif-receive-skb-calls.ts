import { countedMetric } from './counted-metric.ts';

export const netifReceiveSkbCalls = countedMetric({
  name: 'netifReceiveSkbCalls',
  title: 'netif_receive_skb calls',
  isPlural: true,
  meaning: 'Packets handed up by the kernel’s receive path.',
  source: 'Zhang et al. 2024, §5.3, Table 3',
  unit: 'calls',
  needsEvidence: true,
});
