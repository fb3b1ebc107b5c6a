import type { Metric } from './metric.ts';

export const switchCount: Metric = {
  name: 'switchCount',
  title: 'quality switches',
  isPlural: true,
  meaning: 'Changes of quality between chunks played in turn.',
  unit: '',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  needsWatching: true,
  formulas: {
    video: ({ switches }) => switches.length,
  },
};
