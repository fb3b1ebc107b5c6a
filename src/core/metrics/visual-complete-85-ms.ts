import type { Metric } from './metric.ts';

export const visualComplete85Ms: Metric = {
  name: 'visualComplete85Ms',
  title: 'viewport 85 % complete',
  meaning: 'Navigation start until 85 % of the viewport looked as in the end.',
  source: 'as in browsertime',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page'],
  onDeadline: 'time',
  needsEvidence: true,
  formulas: {
    visual: ({ firstReachingMs }) => firstReachingMs(85),
  },
};
