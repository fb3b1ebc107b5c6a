import { finiteOrNull } from '../derive/part.ts';
import type { Metric } from './metric.ts';

export const smoothedRttMs: Metric = {
  name: 'smoothedRttMs',
  title: 'smoothed round-trip time',
  meaning: 'As the transport stack itself reports it.',
  source: 'Zhang et al. 2024, §5.2',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    counters: (counters) => finiteOrNull(counters['smoothedRttMs']) ?? undefined,
  },
};
