import { numericMetric } from '../../core/model/metrics.ts';
import type { TrialRecord } from '../../core/model/record.ts';

/** What a cause is known by, besides the time that it costs: a figure of each trial that grows with it. */
export interface Indicator {
  /** Such as `packets lost, %`. */
  readonly words: string;
  /** Null where nothing recorded it. */
  readonly of: (record: TrialRecord) => number | null;
  /** A smaller change is not worth naming, in the figure's own unit. */
  readonly least: number;
}

/** A mechanism by which a load or a transfer takes longer. */
export interface Cause {
  readonly id: string;
  readonly title: string;
  /** Parts of a difference that it lengthens, by stage. */
  readonly stages: readonly string[];
  /** Absent: the part itself is what shows it. */
  readonly indicator?: Indicator;
  /** Figures that make it plain, told where they were recorded: nothing rests on them. */
  readonly related?: readonly Pick<Indicator, 'words' | 'of'>[];
}

const counter = ({ counters = {} }: TrialRecord, name: string): number | null => counters[name] ?? null;

/** Null where either is unknown or nothing was counted. */
const ratio = (part: number | null, whole: number | null, factor = 1): number | null =>
  part === null || whole === null || whole <= 0 ? null : (factor * part) / whole;

/** The count of the transport that the trial used, by the sender's own account. */
const ofSender = (record: TrialRecord, tcp: string, quic: string): number | null =>
  counter(record, counter(record, 'quicPacketsSent') === null ? tcp : quic);

const lostPackets = (record: TrialRecord): number | null =>
  ofSender(record, 'tcpRetransmitted', 'quicPacketsLost');

/** A window that begins with w bytes and doubles has brought them after log2(1 + bytes ÷ w) round trips. */
const slowStartBytes = 100_000;

const waiting = ['windowWait', 'transfer'];

/**
 * One entry each; what is told by a count of its own stands before what is told by the time alone. A cause without the
 * counts of its probes is not named, rather than guessed.
 */
export const causes: readonly Cause[] = [
  {
    id: 'packet-loss',
    title: 'packets are lost on the way',
    stages: [...waiting, 'connection', 'firstByte', 'linkFull', 'lateAlone'],
    indicator: {
      words: 'packets lost, %',
      of: (record) => ratio(lostPackets(record), counter(record, 'packetsReceived'), 100),
      least: 0.1,
    },
    related: [
      {
        words: 'of them arrived all the same, packets',
        of: (record) => ofSender(record, 'tcpSpuriousRetransmits', 'quicSpuriousLosses'),
      },
    ],
  },
  {
    id: 'receive-buffer-drops',
    title: 'the client’s socket drops what it has no room for',
    stages: waiting,
    indicator: {
      words: 'datagrams dropped at the socket, %',
      of: (record) =>
        ratio(counter(record, 'udpReceiveBufferErrors'), counter(record, 'packetsReceived'), 100),
      least: 0.1,
    },
  },
  {
    id: 'buffers',
    title: 'receive window or send buffer hold the server back',
    stages: waiting,
    indicator: {
      words: 'time that window or buffer limited the server, % of its busy time',
      of: (record) =>
        ratio(
          (counter(record, 'tcpReceiveWindowLimitedMs') ?? 0) +
            (counter(record, 'tcpSendBufferLimitedMs') ?? 0),
          counter(record, 'tcpBusyMs'),
          100,
        ),
      least: 10,
    },
  },
  {
    id: 'packet-size',
    title: 'the same bytes take more packets',
    stages: ['linkFull', 'receiverCpu', 'senderCpu', ...waiting],
    indicator: {
      words: 'packets per megabyte',
      of: (record) =>
        ratio(counter(record, 'packetsReceived'), counter(record, 'interfaceBytesReceived'), 1e6),
      // A window of few packets sends some that are not full, about 50 more a megabyte; an MTU of 1280 makes it 115.
      least: 80,
    },
    related: [
      { words: 'largest packet of the link, bytes', of: (record) => counter(record, 'linkMtuBytes') },
      { words: 'largest segment, bytes', of: (record) => counter(record, 'segmentBytes') },
    ],
  },
  {
    id: 'super-packets',
    title: 'packets are handled one by one instead of as super-packets',
    // Not waiting: lost packets are not joined either.
    stages: ['receiverCpu', 'senderCpu', 'linkFull'],
    indicator: {
      words: 'units per packet',
      of: (record) => ratio(counter(record, 'interfaceUnitsReceived'), counter(record, 'packetsReceived')),
      least: 0.2,
    },
  },
  {
    id: 'first-flight',
    title: 'the server’s first flight is smaller',
    // A page finds later what to ask for where its document comes in more round trips.
    stages: ['firstByte', 'queueing', 'linkFull', 'lateAlone', ...waiting],
    indicator: {
      words: 'round trips until a window that doubles has brought 100 kB',
      of: ({ metrics: { firstFlightBytes } }) =>
        typeof firstFlightBytes === 'number' && firstFlightBytes > 0
          ? Math.log2(1 + slowStartBytes / firstFlightBytes)
          : null,
      // A first flight that is a fifth smaller.
      least: 0.2,
    },
  },
  {
    id: 'path-queueing',
    title: 'queueing on the path takes longer',
    stages: ['connection', 'firstByte', 'linkFull', ...waiting],
    indicator: {
      words: 'round trip under load, ms',
      of: ({ metrics }) => numericMetric(metrics, 'loadedRttMs') ?? null,
      least: 2,
    },
    related: [
      {
        words: 'slow round trips under load, ms',
        of: ({ metrics }) => numericMetric(metrics, 'loadedRttP95Ms') ?? null,
      },
    ],
  },
  {
    id: 'round-trip',
    title: 'round trips take longer',
    stages: ['connection', 'firstByte', ...waiting],
    indicator: {
      words: 'round trip as the server sees it, ms',
      of: (record) => counter(record, 'smoothedRttMs'),
      least: 2,
    },
  },
  {
    id: 'main-thread',
    title: 'the page’s main thread is blocked for longer',
    stages: ['processing'],
    indicator: {
      words: 'blocked main thread, ms',
      of: ({ metrics }) => numericMetric(metrics, 'tbtMs') ?? null,
      least: 20,
    },
  },
  {
    id: 'client-cpu',
    title: 'the client’s networking process is saturated for longer',
    stages: ['receiverCpu'],
    related: [
      { words: 'CPU withheld by a quota, ms', of: (record) => counter(record, 'clientCpuWithheldMs') },
    ],
  },
  { id: 'server-cpu', title: 'the server is saturated for longer', stages: ['senderCpu'] },
  { id: 'link-full', title: 'the link is saturated for longer', stages: ['linkFull'] },
  { id: 'connection', title: 'connections are ready later', stages: ['connection'] },
  { id: 'first-byte', title: 'answers begin later', stages: ['firstByte'] },
  {
    id: 'head-of-line',
    title: 'messages wait behind an earlier one',
    stages: ['headOfLine'],
    indicator: {
      words: 'messages behind another',
      of: ({ metrics }) => numericMetric(metrics, 'blockedMessages') ?? null,
      least: 1,
    },
  },
  { id: 'queueing', title: 'requests wait longer within the browser', stages: ['queueing'] },
];
