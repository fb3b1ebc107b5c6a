import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const lcpMs: Metric = {
  name: 'lcpMs',
  title: 'largest contentful paint',
  meaning: 'Navigation start to the paint of the largest text or image.',
  source: 'W3C Largest Contentful Paint',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'time',
  formulas: {
    page: ({ timings }) => finiteOrNull(timings.lcpMs),
  },
};
