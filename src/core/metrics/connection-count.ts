import type { Metric } from './metric.ts';

export const connectionCount: Metric = {
  name: 'connectionCount',
  title: 'connections',
  isPlural: true,
  meaning: 'Connections that objects came over.',
  unit: '',
  form: 'ratio',
  margin: 0.01,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
  formulas: {
    objects: ({ objects, connections }) =>
      connections.length === objects.length ? new Set(connections).size : null,
  },
};
