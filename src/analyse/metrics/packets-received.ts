import { finiteOrNull } from '../derive/part.ts';
import type { Metric } from './metric.ts';

export const packetsReceived: Metric = {
  name: 'packetsReceived',
  title: 'packets received',
  meaning: 'Packets that the client’s interface received.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'packets',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    counters: (counters) => finiteOrNull(counters['packetsReceived']) ?? undefined,
  },
};
