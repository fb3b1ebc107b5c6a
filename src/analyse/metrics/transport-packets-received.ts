import { finiteOrNull } from '../derive/part.ts';
import type { Metric } from './metric.ts';

export const transportPacketsReceived: Metric = {
  name: 'transportPacketsReceived',
  title: 'packets handed to the transport',
  meaning:
    'Packets that TCP or QUIC in the client had to deal with: what segmentation offload has joined counts as one for TCP.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'packets',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    counters: (counters) => finiteOrNull(counters['transportPacketsReceived']) ?? undefined,
  },
};
