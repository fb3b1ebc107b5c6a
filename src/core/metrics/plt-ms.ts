import { positiveOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const pltMs: Metric = {
  name: 'pltMs',
  title: 'page load time',
  meaning: 'Navigation start to the end of the load event.',
  source: 'PLT in Zhang et al. 2024, §4.2',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'time',
  formulas: {
    page: ({ timings }) => positiveOrNull(timings.loadEventEndMs),
  },
};
