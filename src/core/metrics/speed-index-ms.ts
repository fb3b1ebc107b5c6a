import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const speedIndexMs: Metric = {
  name: 'speedIndexMs',
  title: 'Speed Index',
  meaning: 'Mean time at which the parts of the viewport were visible: 3400 ms or less is fast.',
  source: 'WebPageTest, as implemented by speedline; classes of Liu et al. 2025, §4.4',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['page'],
  onDeadline: 'time',
  needsEvidence: true,
  formulas: {
    visual: ({ speedIndex }) => finiteOrNull(speedIndex),
  },
};
