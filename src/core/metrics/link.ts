import { loadedRtt, meanLoadedRtt } from './evidence/sojourns.ts';
import { timeAsDifference, timeAsRatio, type Metric } from './metric.ts';

const msPerMinute = 60_000;

/** What the link sees: waiting, bursts and acknowledgements. */
export const linkMetrics: readonly Metric[] = [
  {
    name: 'loadedRttMs',
    title: 'round trip under load',
    meaning: 'Median of the link’s delay and its packets’ time in the queues, both ways, from navigation on.',
    source: 'RFC 8289, section 4.4',
    ...timeAsRatio,
    margin: 0.1,
    kinds: ['page', 'journey', 'video', 'download', 'upload'],
    onDeadline: 'missing',
    formulas: { queue: (queue) => loadedRtt(queue, 0.5) },
  },
  {
    name: 'loadedRttP95Ms',
    title: 'slow round trips under load',
    isPlural: true,
    meaning: 'One of the same round trips in twenty takes longer.',
    source: 'RFC 8289, section 4.4',
    ...timeAsRatio,
    margin: 0.1,
    kinds: ['page', 'journey', 'video', 'download', 'upload'],
    onDeadline: 'missing',
    formulas: { queue: (queue) => loadedRtt(queue, 0.95) },
  },
  {
    name: 'responsivenessRpm',
    title: 'responsiveness',
    meaning: 'Round trips in a minute at the mean round trip under load, of the link alone.',
    source: 'draft-ietf-ippm-responsiveness (unit)',
    unit: 'RPM',
    form: 'ratio',
    margin: 0.1,
    higherIsBetter: true,
    kinds: ['page', 'journey', 'video', 'download', 'upload'],
    onDeadline: 'missing',
    formulas: {
      queue: (queue) => {
        const meanMs = meanLoadedRtt(queue);
        return meanMs > 0 ? msPerMinute / meanMs : undefined;
      },
    },
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
    name: 'ackDelayMs',
    title: 'delay of the client’s answer to data',
    meaning:
      'From the first data that the client had not answered to its next packet: median over the first 768 packets of a connection, both ways.',
    source: 'RFC 9000, section 13.2.1; RFC 5681, section 4.2',
    ...timeAsDifference,
    margin: 1,
    kinds: ['page', 'journey', 'video', 'download'],
    onDeadline: 'missing',
    formulas: { flights: ({ ackDelayMs }) => ackDelayMs },
  },
  {
    name: 'restedFlightPackets',
    title: 'packets of the first flight after a rest',
    isPlural: true,
    meaning:
      'Packets that the server sent after five seconds of rest before an acknowledgement could have come back: of QUIC bytes in packets of its largest size. Of TCP one less for each smaller packet whose acknowledgement let the window grow.',
    source: 'RFC 5681, sections 3.1 and 4.1; RFC 9002, section 7.8',
    unit: 'packets',
    form: 'ratio',
    margin: 0.2,
    higherIsBetter: true,
    kinds: ['page', 'journey', 'video', 'download'],
    onDeadline: 'missing',
    formulas: {
      flights: ({ rested, transport }) =>
        rested === undefined
          ? undefined
          : transport === 'tcp'
            ? rested.packets - (rested.acknowledgedPackets ?? 0)
            : rested.bytes / rested.largestPacketBytes,
    },
  },
  {
    name: 'restedBurstPackets',
    title: 'packets of the largest burst after a rest',
    isPlural: true,
    meaning: 'Most of these packets within one millisecond.',
    source: 'RFC 9002, section 7.7',
    unit: 'packets',
    form: 'ratio',
    margin: 0.2,
    higherIsBetter: false,
    kinds: ['page', 'journey', 'video', 'download'],
    onDeadline: 'missing',
    formulas: {
      flights: ({ rested }) =>
        rested === undefined ? undefined : rested.largestBurstBytes / rested.largestPacketBytes,
    },
  },
  {
    name: 'amplificationFactor',
    title: 'bytes sent to an address that is not proven',
    isPlural: true,
    meaning:
      'Bytes of the server’s datagrams before the client’s first answer to it, of those of the client’s until then.',
    source: 'RFC 9000, section 8.1',
    unit: '',
    form: 'ratio',
    margin: 0.05,
    higherIsBetter: false,
    kinds: ['page', 'journey', 'video', 'download'],
    onDeadline: 'missing',
    formulas: {
      flights: ({ unproven }) =>
        unproven === undefined || unproven.upBytes === 0 ? undefined : unproven.downBytes / unproven.upBytes,
    },
  },
];
