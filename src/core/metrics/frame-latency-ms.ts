import { nearestRank } from './evidence/messages.ts';
import type { Metric } from './metric.ts';

export const frameLatencyMs: Metric = {
  name: 'frameLatencyMs',
  title: 'latency of frames on the screen',
  meaning:
    'From the moment at which a frame of a broadcast was made to its being seen in the page, median. Each picture says its number.',
  unit: 'ms',
  form: 'difference',
  // A tenth of a second, as for the latency to the live edge.
  margin: 100,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ frames }) => frames && nearestRank(frames.latenciesMs, 0.5),
  },
};
