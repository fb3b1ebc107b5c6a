import type { Metric } from './metric.ts';

export const softNavigationMs: Metric = {
  name: 'softNavigationMs',
  title: 'soft navigation',
  meaning:
    'Interaction to the largest paint of the view that it led to without a new document, else to its last byte and paint.',
  source: 'https://github.com/WICG/soft-navigations',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['journey'],
  onDeadline: 'missing',
  formulas: {
    step: ({ softNavigation }) => softNavigation?.durationMs,
  },
};
