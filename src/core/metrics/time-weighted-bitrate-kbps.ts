import { sum } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const timeWeightedBitrateKbps: Metric = {
  name: 'timeWeightedBitrateKbps',
  title: 'time-weighted bitrate',
  meaning: 'Encoded bitrate of what was played, weighted by its play time.',
  unit: 'kbit/s',
  form: 'ratio',
  margin: 0.02,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'missing',
  needsWatching: true,
  formulas: {
    video: ({ played }) => {
      const playedSeconds = sum(played.map((chunk) => chunk.playedSeconds));
      const weighted = sum(played.map((chunk) => chunk.bitrateKbps * chunk.playedSeconds));
      return playedSeconds > 0 ? weighted / playedSeconds : null;
    },
  },
};
