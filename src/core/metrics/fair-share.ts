import { sum } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const fairShare: Metric = {
  name: 'fairShare',
  title: 'bytes against an equal share',
  isPlural: true,
  meaning:
    'Bytes of the measured connection ÷ an equal share of all: more than 1 is at the cost of the others.',
  source: 'Kakhki et al. 2017, §5.1',
  unit: '',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: true,
  kinds: ['download'],
  onDeadline: 'missing',
  formulas: {
    download: ({ contest }) => {
      if (contest === undefined) return undefined;
      const [measured] = contest.flows;
      const all = sum(contest.flows.map(({ bytes }) => bytes));
      return measured === undefined || all === 0 ? null : (measured.bytes * contest.flows.length) / all;
    },
  },
};
