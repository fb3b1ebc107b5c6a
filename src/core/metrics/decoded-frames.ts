import { finiteOrNull } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const decodedFrames: Metric = {
  name: 'decodedFrames',
  title: 'decoded frames',
  isPlural: true,
  meaning: 'Frames that the decoder put out.',
  unit: 'frames',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ session }) => finiteOrNull(session.decodedFrames),
  },
};
