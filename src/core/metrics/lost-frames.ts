import type { Metric } from './metric.ts';
import { framesPerHour, whilePlaying } from './rare-events.ts';

export const lostFrames: Metric = {
  name: 'lostFrames',
  title: 'lost frames',
  isPlural: true,
  meaning: 'Broadcast frames never seen after the first one shown.',
  unit: 'frames',
  form: 'difference',
  // As for dropped frames.
  margin: 5,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: whilePlaying('lostFrames', ['lost frame', 'lost frames'], framesPerHour),
  formulas: {
    video: ({ frames }) => frames?.lost,
  },
};
