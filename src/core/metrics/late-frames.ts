import type { Metric } from './metric.ts';
import { framesPerHour, whilePlaying } from './rare-events.ts';

export const lateFrames: Metric = {
  name: 'lateFrames',
  title: 'late frames',
  isPlural: true,
  meaning: 'Broadcast frames whose latency exceeds the session’s median by more than 100 ms.',
  unit: 'frames',
  form: 'difference',
  // As for dropped frames.
  margin: 5,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: whilePlaying('lateFrames', ['late frame', 'late frames'], framesPerHour),
  formulas: {
    video: ({ frames }) => frames?.late,
  },
};
