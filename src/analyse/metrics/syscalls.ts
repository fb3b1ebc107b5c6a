import { finiteOrNull } from '../derive/part.ts';
import type { Metric } from './metric.ts';

export const syscalls: Metric = {
  name: 'syscalls',
  title: 'system calls',
  meaning: 'System calls of the client.',
  source: 'Zhang et al. 2024, §5.3',
  unit: 'calls',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    counters: (counters) => finiteOrNull(counters['syscalls']) ?? undefined,
  },
};
