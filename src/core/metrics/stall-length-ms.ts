import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const stallLengthMs: Metric = {
  name: 'stallLengthMs',
  title: 'length of a stall',
  meaning: 'Length of the stalls of a session, median. A session without stalls has none.',
  source: 'Shreedhar et al. 2022, §VII-B, figure 15',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ stalls }) => {
      const lengthsMs = stalls.network.intervals.map(([startMs, endMs]) => endMs - startMs);
      return lengthsMs.length === 0
        ? undefined
        : nearestRank(
            lengthsMs.toSorted((a, b) => a - b),
            0.5,
          );
    },
  },
};
