import type { Metric } from './metric.ts';
import { networkStalls } from './rare-events.ts';

export const stallTotalMs: Metric = {
  name: 'stallTotalMs',
  title: 'stall time',
  meaning: 'Total time in which playback waited on an empty buffer.',
  source: 'Shreedhar et al. 2022, §VII-B',
  unit: 'ms',
  form: 'difference',
  margin: 100,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: networkStalls,
  needsWatching: true,
  formulas: {
    video: ({ stalls }) => stalls.network.totalMs,
  },
};
