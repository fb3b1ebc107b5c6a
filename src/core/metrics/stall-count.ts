import type { Metric } from './metric.ts';
import { networkStalls } from './rare-events.ts';

export const stallCount: Metric = {
  name: 'stallCount',
  title: 'stalls',
  isPlural: true,
  meaning: 'How often playback stopped on an empty buffer after it had begun.',
  source: 'Shreedhar et al. 2022, §VII-B',
  unit: '',
  form: 'difference',
  margin: 0.1,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: networkStalls,
  needsWatching: true,
  formulas: {
    video: ({ stalls }) => stalls.network.intervals.length,
  },
};
