import type { Metric } from './metric.ts';

export const firstFlightBytes: Metric = {
  name: 'firstFlightBytes',
  title: 'bytes of the first flight',
  isPlural: true,
  meaning:
    'IP bytes that the server sent of its first response before an acknowledgement could have come back: its initial window, where that ended the flight.',
  source: 'RFC 6928; RFC 9002, section 7.2',
  unit: 'B',
  form: 'ratio',
  margin: 0.2,
  higherIsBetter: true,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    flights: ({ firstFlight }) =>
      firstFlight === null || firstFlight.isLeast ? undefined : firstFlight.bytes,
  },
};
