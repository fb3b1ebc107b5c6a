import type { Metric } from './metric.ts';

export const acksPerPacket: Metric = {
  name: 'acksPerPacket',
  title: 'client packets per server packet',
  isPlural: true,
  meaning:
    'Packets from the client ÷ packets from the server, on the connection that carried most: nearly all of them acknowledge.',
  source: 'RFC 9000, section 13.2.2; RFC 5681, section 4.2',
  unit: '',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download'],
  onDeadline: 'missing',
  formulas: {
    flights: ({ upPackets, downPackets }) => (downPackets === 0 ? undefined : upPackets / downPackets),
  },
};
