import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const fcpMs: Metric = {
  name: 'fcpMs',
  title: 'first contentful paint',
  meaning: 'Navigation start to the first text or image painted.',
  source: 'W3C Paint Timing',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'time',
  formulas: {
    page: ({ timings }) => finiteOrNull(timings.fcpMs),
  },
};
