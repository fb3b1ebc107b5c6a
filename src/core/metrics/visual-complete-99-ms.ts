import type { Metric } from './metric.ts';

export const visualComplete99Ms: Metric = {
  name: 'visualComplete99Ms',
  title: 'viewport 99 % complete',
  meaning: 'Navigation start until 99 % of the viewport looked as in the end.',
  source: 'as in browsertime',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page'],
  onDeadline: 'time',
  needsEvidence: true,
  formulas: {
    visual: ({ firstReachingMs }) => firstReachingMs(99),
  },
};
