import { uploadStallsMs } from './evidence/upload-stalls.ts';
import type { Metric } from './metric.ts';
import { uploadStalls } from './rare-events.ts';

export const uploadStallCount: Metric = {
  name: 'uploadStallCount',
  title: 'stalls of the upload',
  isPlural: true,
  meaning: 'How often no byte of the body came to the server for a second or more.',
  source: 'Nielsen 1993, chapter 5: after a second people notice that they wait',
  unit: '',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: false,
  kinds: ['upload'],
  onDeadline: 'missing',
  rareEvents: uploadStalls,
  formulas: {
    upload: ({ arrived }) => uploadStallsMs(arrived)?.length ?? null,
  },
};
