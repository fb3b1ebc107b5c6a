import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const frameLatencyP95Ms: Metric = {
  name: 'frameLatencyP95Ms',
  title: 'latency of frames on the screen, 95th percentile',
  meaning: 'The same latency: 95 % of the frames that were seen had no more.',
  unit: 'ms',
  form: 'difference',
  // A tenth of a second, as for the latency to the live edge.
  margin: 100,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ frames }) => frames && nearestRank(frames.latenciesMs, 0.95),
  },
};
