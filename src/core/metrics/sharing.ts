import { fairnessOf, jainIndex } from './evidence/fairness.ts';
import { sum } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

/** How those who use the path together share it. */
export const sharingMetrics: readonly Metric[] = [
  {
    name: 'fairnessIndex',
    title: 'fairness between those who share the path (Jain)',
    meaning:
      'How evenly players shared the bitrate, or connections the bytes: 1 when all had the same, 1 ÷ their number when one had all.',
    source: 'Jain, Chiu, Hawe 1984; Jiang et al. 2012 (FESTIVE)',
    unit: '',
    form: 'ratio',
    // 2 % as for bitrates.
    margin: 0.02,
    higherIsBetter: true,
    kinds: ['video', 'download'],
    onDeadline: 'missing',
    formulas: {
      video: ({ session }) => fairnessOf(session),
      download: ({ contest }) => contest && jainIndex(contest.flows.map(({ bytes }) => bytes)),
    },
  },
  {
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
  },
];
