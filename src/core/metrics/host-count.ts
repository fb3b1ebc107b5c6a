import type { Metric } from './metric.ts';

export const hostCount: Metric = {
  name: 'hostCount',
  title: 'hosts',
  isPlural: true,
  meaning: 'Host names that objects came from.',
  unit: '',
  form: 'ratio',
  margin: 0.01,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
  formulas: {
    objects: ({ objects }) => new Set(objects.map(({ host }) => host)).size,
  },
};
