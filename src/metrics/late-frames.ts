import type { Metric } from './metric.ts';

export const lateFrames: Metric = {
  name: 'lateFrames',
  title: 'late frames',
  meaning:
    'Frames of a broadcast that were seen more than 100 ms later after their making than half of the session’s.',
  unit: 'frames',
  form: 'difference',
  // As for dropped frames.
  margin: 5,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ frames }) => frames?.late,
  },
};
