import { sum } from './evidence/numbers.ts';
import { uploadStallsMs } from './evidence/upload-stalls.ts';
import type { Metric } from './metric.ts';
import { uploadStalls } from './rare-events.ts';

export const uploadStallMs: Metric = {
  name: 'uploadStallMs',
  title: 'time in which the upload stalled',
  meaning: 'All times of a second or more in which no byte of the body came to the server.',
  source: 'Nielsen 1993, chapter 5: after a second people notice that they wait',
  unit: 'ms',
  form: 'difference',
  margin: 100,
  higherIsBetter: false,
  kinds: ['upload'],
  onDeadline: 'missing',
  rareEvents: uploadStalls,
  formulas: {
    upload: ({ arrived }) => {
      const stallsMs = uploadStallsMs(arrived);
      return stallsMs === null ? null : sum(stallsMs);
    },
  },
};
