import type { Metric } from './metric.ts';

export const unusedConnections: Metric = {
  name: 'unusedConnections',
  title: 'connections without a request',
  meaning:
    'Connections to the server that carried no request, in arms that set `discovery`. They lost a race between TCP and QUIC.',
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
