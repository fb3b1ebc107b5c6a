import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const cls: Metric = {
  name: 'cls',
  title: 'cumulative layout shift',
  meaning: 'How much the page’s content moved while it loaded.',
  source: 'W3C Layout Instability',
  unit: '',
  form: 'difference',
  margin: 0.01,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
  formulas: {
    page: ({ timings }) => finiteOrNull(timings.cls),
  },
};
