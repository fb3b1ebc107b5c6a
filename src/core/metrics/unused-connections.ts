import type { Metric } from './metric.ts';

export const unusedConnections: Metric = {
  name: 'unusedConnections',
  title: 'connections without a request',
  isPlural: true,
  meaning:
    'Connections to the server without a request, in arms that set `discovery`: they lost a race between TCP and QUIC.',
  unit: '',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: false,
  kinds: ['page'],
  onDeadline: 'missing',
  formulas: {
    objects: ({ discovery }) => discovery?.unusedConnections,
  },
};
