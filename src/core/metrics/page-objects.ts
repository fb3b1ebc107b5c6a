import { wireBytesOf } from './evidence/wire-bytes.ts';
import { numberAsDifference, timeAsRatio, type Metric } from './metric.ts';

/** A count of one load. No source names a margin: 1 % tells a changed page from jitter. */
const count = {
  isPlural: true,
  unit: '',
  form: 'ratio',
  margin: 0.01,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
} as const;

/** Of what a load consists, and where it came from. */
export const pageObjectMetrics: readonly Metric[] = [
  {
    name: 'objectCount',
    title: 'objects',
    meaning: 'Objects requested in one load.',
    ...count,
    formulas: {
      objects: ({ objects }) => objects.length,
    },
  },
  {
    name: 'wireBytes',
    title: 'bytes on the wire',
    isPlural: true,
    meaning: 'Encoded bytes of all objects of one load.',
    unit: 'B',
    form: 'ratio',
    margin: 0.01,
    higherIsBetter: false,
    kinds: ['page', 'journey'],
    onDeadline: 'missing',
    formulas: {
      objects: ({ objects, unsized }) => (unsized.length === 0 ? wireBytesOf(objects) : null),
    },
  },
  {
    name: 'hostCount',
    title: 'hosts',
    meaning: 'Host names that objects came from.',
    ...count,
    formulas: {
      objects: ({ objects }) => new Set(objects.map(({ host }) => host)).size,
    },
  },
  {
    name: 'connectionCount',
    title: 'connections',
    meaning: 'Connections that objects came over.',
    ...count,
    formulas: {
      objects: ({ objects, connections }) =>
        connections.length === objects.length ? new Set(connections).size : null,
    },
  },
  {
    name: 'firstVisitH3Share',
    title: 'objects of a first visit over HTTP/3',
    isPlural: true,
    meaning: 'Share of a first visit’s objects that came over HTTP/3, 0 to 1, in arms that set `discovery`.',
    unit: '',
    form: 'difference',
    margin: 0.05,
    higherIsBetter: true,
    kinds: ['page'],
    onDeadline: 'missing',
    formulas: {
      objects: ({ objects, discovery }) =>
        discovery?.isFirstVisit === true
          ? objects.filter(({ protocol }) => protocol === 'h3').length / objects.length
          : undefined,
    },
  },
  {
    name: 'unusedConnections',
    title: 'connections without a request',
    isPlural: true,
    meaning:
      'Connections to the server without a request, in arms that set `discovery`: they lost a race between TCP and QUIC.',
    ...numberAsDifference,
    margin: 0.5,
    kinds: ['page'],
    onDeadline: 'missing',
    formulas: {
      objects: ({ discovery }) => discovery?.unusedConnections,
    },
  },
  {
    name: 'appThinkMs',
    title: 'time waiting for the app',
    meaning:
      'Time until the load event in which the app owed at least one answer, between our server and it.',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['page', 'journey'],
    onDeadline: 'missing',
    formulas: {
      app: ({ waits, untilEpochMs }) => {
        let sum = 0;
        let doneMs = 0;
        for (const { atEpochMs, thinkMs } of waits.toSorted((a, b) => a.atEpochMs - b.atEpochMs)) {
          const beginMs = Math.max(atEpochMs, doneMs);
          const endMs = Math.min(atEpochMs + thinkMs, untilEpochMs);
          sum += Math.max(0, endMs - beginMs);
          doneMs = Math.max(doneMs, endMs);
        }
        return sum;
      },
    },
  },
];
