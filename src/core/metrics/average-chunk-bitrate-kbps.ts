import { mean } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const averageChunkBitrateKbps: Metric = {
  name: 'averageChunkBitrateKbps',
  title: 'average chunk bitrate',
  meaning: 'Mean encoded bitrate of the chunks that were played.',
  source: 'Zhang et al. 2024, Fig. 9',
  unit: 'kbit/s',
  form: 'ratio',
  margin: 0.02,
  higherIsBetter: true,
  kinds: ['video'],
  onDeadline: 'missing',
  needsWatching: true,
  formulas: {
    video: ({ played }) => mean(played.map(({ bitrateKbps }) => bitrateKbps)),
  },
};
