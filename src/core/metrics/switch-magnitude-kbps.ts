import { sum } from './evidence/numbers.ts';
import { bitrateChangesKbps } from './evidence/qoe.ts';
import type { Metric } from './metric.ts';

export const switchMagnitudeKbps: Metric = {
  name: 'switchMagnitudeKbps',
  title: 'quality switch magnitude',
  meaning: 'Mean absolute change of bitrate at a switch.',
  unit: 'kbit/s',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  needsWatching: true,
  formulas: {
    // Absent, not null, where nothing was switched: there is no magnitude then.
    video: ({ played, switches }) =>
      switches.length === 0
        ? undefined
        : sum(bitrateChangesKbps(played.map(({ bitrateKbps }) => bitrateKbps))) / switches.length,
  },
};
