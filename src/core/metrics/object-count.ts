import type { Metric } from './metric.ts';

export const objectCount: Metric = {
  name: 'objectCount',
  title: 'objects',
  isPlural: true,
  meaning: 'Objects requested in one load.',
  unit: '',
  form: 'ratio',
  // No source names a margin for these counts: 1 % tells a changed page from jitter.
  margin: 0.01,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
  formulas: {
    objects: ({ objects }) => objects.length,
  },
};
