import type { Metric } from './metric.ts';
import { networkStalls } from './rare-events.ts';

export const stallRatio: Metric = {
  name: 'stallRatio',
  title: 'stall ratio',
  meaning: 'Share of the session spent in stalls.',
  source: 'Shreedhar et al. 2022, §VII-B',
  unit: '',
  form: 'difference',
  margin: 0.005,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  rareEvents: networkStalls,
  needsWatching: true,
  formulas: {
    video: ({ stalls, session }) => {
      const watchedMs = session.playedSeconds * 1000 + stalls.network.totalMs;
      return watchedMs > 0 ? stalls.network.totalMs / watchedMs : null;
    },
  },
};
