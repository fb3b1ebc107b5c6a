import type { Metric } from './metric.ts';

export const inpMs: Metric = {
  name: 'inpMs',
  title: 'interaction to next paint',
  meaning: 'Longest click, tap or key press of a step until the next paint; less than 16 ms counts as 16.',
  source: 'https://web.dev/articles/inp',
  unit: 'ms',
  form: 'difference',
  margin: 16,
  higherIsBetter: false,
  kinds: ['journey'],
  onDeadline: 'missing',
  formulas: {
    step: ({ interactionMs }) => interactionMs ?? undefined,
  },
};
