import type { Metric } from './metric.ts';

export const largestBurstBytes: Metric = {
  name: 'largestBurstBytes',
  title: 'bytes of the largest burst',
  isPlural: true,
  meaning:
    'Most IP bytes that the server sent within one millisecond, among the first 768 packets of a connection, both ways.',
  unit: 'B',
  form: 'ratio',
  margin: 0.2,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  formulas: { flights: ({ largestBurstBytes: bytes }) => bytes ?? undefined },
};
