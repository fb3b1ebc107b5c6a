import type { Metric } from './metric.ts';
import { decodeStalls } from './rare-events.ts';

export const decodeStallTotalMs: Metric = {
  name: 'decodeStallTotalMs',
  title: 'decode stall time',
  meaning: 'Total time in which playback waited although enough was buffered.',
  unit: 'ms',
  form: 'difference',
  margin: 100,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: decodeStalls,
  formulas: {
    video: ({ stalls }) => stalls.decode.totalMs,
  },
};
