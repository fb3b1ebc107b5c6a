import { elapsedMs } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const timeToFirstByteMs: Metric = {
  name: 'timeToFirstByteMs',
  title: 'time to first byte',
  meaning: 'Request sent to the first byte of the body.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['download'],
  onDeadline: 'time',
  formulas: {
    download: ({ startMs, firstByteMs }) => elapsedMs(startMs, firstByteMs),
  },
};
