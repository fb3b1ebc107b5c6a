import type { Metric } from './metric.ts';

export const lostFrames: Metric = {
  name: 'lostFrames',
  title: 'lost frames',
  meaning: 'Frames of a broadcast that were never seen, from the first that was on.',
  unit: 'frames',
  form: 'difference',
  // As for dropped frames.
  margin: 5,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ frames }) => frames?.lost,
  },
};
