import { elapsedMs } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const ttfbMs: Metric = {
  name: 'ttfbMs',
  title: 'time to first byte',
  meaning: 'Request of the main document sent to its first byte, connection set-up not counted.',
  source: 'Bocchi et al. 2016',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'time',
  formulas: {
    page: ({ timings }) => elapsedMs(timings.requestStartMs, timings.responseStartMs),
  },
};
