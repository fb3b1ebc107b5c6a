import { fairnessOf, jainIndex } from './evidence/fairness.ts';
import type { Metric } from './metric.ts';

export const fairnessIndex: Metric = {
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
};
