import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';
import { framesPerHour, whilePlaying } from './rare-events.ts';

export const droppedFrames: Metric = {
  name: 'droppedFrames',
  title: 'dropped frames',
  isPlural: true,
  meaning: 'Frames decoded too late to be shown.',
  unit: 'frames',
  form: 'difference',
  // The margin is 1 % of the 450 frames of a 15 s session.
  margin: 5,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: whilePlaying('droppedFrames', ['dropped frame', 'dropped frames'], framesPerHour),
  formulas: {
    video: ({ session }) => finiteOrNull(session.droppedFrames),
  },
};
