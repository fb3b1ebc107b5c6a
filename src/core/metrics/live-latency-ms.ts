import { broadcastLatencyOf } from './evidence/broadcast-latency.ts';
import type { Metric } from './metric.ts';

export const liveLatencyMs: Metric = {
  name: 'liveLatencyMs',
  title: 'latency to the live edge',
  meaning: 'How far the picture was behind the live edge, on average from the first frame on.',
  unit: 'ms',
  form: 'difference',
  // A tenth of a second, as for stall time.
  margin: 100,
  higherIsBetter: false,
  kinds: ['video'],
  onDeadline: 'missing',
  formulas: {
    video: ({ session }) => broadcastLatencyOf(session),
  },
};
