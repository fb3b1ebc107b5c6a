import { finiteOrNull } from '../derive/part.ts';
import type { Metric } from './metric.ts';

export const netifReceiveSkbCalls: Metric = {
  name: 'netifReceiveSkbCalls',
  title: 'netif_receive_skb calls',
  meaning: 'Packets handed up by the kernel’s receive path.',
  source: 'Zhang et al. 2024, §5.3, Table 3',
  unit: 'calls',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    counters: (counters) => finiteOrNull(counters['netifReceiveSkbCalls']) ?? undefined,
  },
};
