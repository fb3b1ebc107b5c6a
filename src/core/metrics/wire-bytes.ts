import { wireBytesOf } from './evidence/wire-bytes.ts';
import type { Metric } from './metric.ts';

export const wireBytes: Metric = {
  name: 'wireBytes',
  title: 'bytes on the wire',
  isPlural: true,
  meaning: 'Encoded bytes of all objects of one load.',
  unit: 'B',
  form: 'ratio',
  margin: 0.01,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
  formulas: {
    objects: ({ objects, unsized }) => (unsized.length === 0 ? wireBytesOf(objects) : null),
  },
};
