import { elapsedMs } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const startupDelayMs: Metric = {
  name: 'startupDelayMs',
  title: 'start-up delay',
  meaning:
    'The player’s load call to the first presented frame. Where frames are numbered: to the first that another follows at once.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'time',
  formulas: {
    video: ({ session, frames }) =>
      frames === undefined
        ? elapsedMs(Math.max(session.loadCallMs, Number.MIN_VALUE), session.firstFrameMs)
        : frames.movesFromMs,
  },
};
