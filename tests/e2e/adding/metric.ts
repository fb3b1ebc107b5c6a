import type { Metric } from '../../../src/core/metrics/metric.ts';

export const added: readonly Metric[] = [
  {
    name: 'addedHosts',
    title: 'added hosts',
    meaning: 'Hosts that one load asked.',
    unit: '',
    form: 'ratio',
    margin: 0.01,
    higherIsBetter: false,
    kinds: ['page', 'journey'],
    onDeadline: 'missing',
    formulas: { objects: ({ objects }) => new Set(objects.map(({ url }) => new URL(url).host)).size },
  },
];
