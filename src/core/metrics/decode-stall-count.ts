import type { Metric } from './metric.ts';
import { decodeStalls } from './rare-events.ts';

export const decodeStallCount: Metric = {
  name: 'decodeStallCount',
  title: 'decode stalls',
  isPlural: true,
  meaning: 'How often playback stopped although enough was buffered: the machine did not keep up.',
  unit: '',
  form: 'difference',
  // The margins of network stalls; they tell that the machine, not the path, was the limit.
  margin: 0.1,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: decodeStalls,
  formulas: {
    video: ({ stalls }) => stalls.decode.intervals.length,
  },
};
