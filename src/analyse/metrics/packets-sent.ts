import { finiteOrNull } from '../derive/part.ts';
import type { Metric } from './metric.ts';

export const packetsSent: Metric = {
  name: 'packetsSent',
  title: 'packets sent',
  meaning: 'Packets that the client’s interface sent.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'packets',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    counters: (counters) => finiteOrNull(counters['packetsSent']) ?? undefined,
  },
};
