import { numericMetric } from '../../core/model/metrics.ts';
import { senderPath, type Disturbance } from './sender-path.ts';
import {
  countedPackets,
  initialWindowPackets,
  type MeasuredTrial,
  type SenderProperty,
} from './sender-property.ts';

/**
 * Of the window, %: the RFCs leave half of it (RFC 5681, section 3.1; RFC 9002, section 7.3.2) or 70 % (RFC 9438, section
 * 4.6), and until it is looked at it grows again.
 */
const windowLeftPercent = 90;

function windowAfter(disturbance: Disturbance, id: string, what: string): SenderProperty {
  return {
    id,
    title: `Window left after ${what}`,
    unit: '%',
    meaning: `Of what was under way before ${what}, what is so 200 to 500 ms after.`,
    source: 'RFC 5681, section 3.1, and RFC 9002, section 7.3.2: half. RFC 9438, section 4.6: 70 %',
    readIn: [disturbance],
    valueOf: ({ metrics }) => numericMetric(metrics, 'lossWindowPercent'),
    allowed: () => windowLeftPercent,
    alike: { share: 0.15, least: 10 },
    consequence: 'it does not give way when the path is full, so connections that do get less next to it',
    consequenceOfLess: 'each loss costs its users more than the RFC asks for',
  };
}

/** Before anything is known of a path a lost packet is sent again after a second. */
const firstTimeoutMs = 1000;
/** Of TCP with TLS 1.3 until the first byte, and one for the loss. */
const handshakeRoundTrips = 4;
/** The kernel and busy machines let timers go that much later. */
const timerRoomMs = 200;

function handshakeWithout(disturbance: Disturbance, id: string, which: string): SenderProperty {
  return {
    id,
    title: `First byte, ${which} packet lost`,
    unit: 'ms',
    meaning: `From connecting to the first byte, where the server’s ${which} packet of the connection is lost.`,
    source:
      'RFC 6298, section 2.1, and RFC 9002, sections 6.2.1 and 6.2.2: the first timeout is a second at most, and three round trips',
    readIn: [disturbance],
    valueOf: ({ metrics }) => numericMetric(metrics, 'ttfbWithConnectMs'),
    allowed: () => firstTimeoutMs + handshakeRoundTrips * senderPath.roundTripMs + timerRoomMs,
    alike: { share: 0.3, least: 100 },
    consequence: 'users wait that long on each lossy path before anything comes',
  };
}

/** Before its client has answered, a server may send so many times what it was sent (RFC 9000, section 8.1). */
const amplificationLimit = 3;
/** Headers of IP are taken as those of IPv4. */
const countedRoom = 0.1;

/** Others of the client’s packets acknowledge alone, and are not acknowledged. */
const packetsForAcknowledgement = 2;

/** Where the client has stopped to take what it does not read; elsewhere no window is full. */
function timeNextToUnread({ metrics, counters = {} }: MeasuredTrial): number | undefined {
  const { emulatorDownBytes: cameBytes = Infinity } = counters;
  return cameBytes < senderPath.heldMegabytes * 1e6
    ? numericMetric(metrics, 'totalRequestTimeMs')
    : undefined;
}

/** What single packets that are lost, queues that mark, uploads, rests and answers that are not read show of a server. */
export const furtherProperties: readonly SenderProperty[] = [
  windowAfter('one-lost', 'one-loss-window', 'one lost packet'),
  windowAfter('three-lost', 'three-loss-window', 'three lost in a row'),
  {
    id: 'tail-loss',
    title: 'Answer whose last packet is lost',
    unit: 'ms',
    meaning: 'An answer of 100 KB, from the request to its last byte.',
    source: 'RFC 8985, section 7, and RFC 9002, section 6.2: compared with the server’s own TCP',
    readIn: ['tail-lost'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'totalRequestTimeMs'),
    alike: { share: 0.25, least: 100 },
    consequence: 'users wait longer for the last packet of an answer',
  },
  handshakeWithout('first-lost', 'first-packet-lost', 'first'),
  handshakeWithout('second-lost', 'second-packet-lost', 'second'),
  handshakeWithout('third-lost', 'third-packet-lost', 'third'),
  {
    id: 'amplification',
    title: 'Sent before the client’s address is proven',
    unit: 'times',
    meaning: 'Bytes of the server’s datagrams before an answer to any of them, of those of the client’s.',
    source: 'RFC 9000, section 8.1: three times',
    readIn: ['certificate'],
    over: 'h3',
    valueOf: ({ metrics }) => numericMetric(metrics, 'amplificationFactor'),
    allowed: () => amplificationLimit + countedRoom,
    alike: { share: 0.1, least: 0.3 },
    consequence: 'forged requests let it flood others',
  },
  {
    id: 'marks',
    title: 'Round trip in a queue that marks',
    unit: 'ms',
    meaning: 'Median, while CoDel (RFC 8289) marks packets instead of dropping them.',
    source:
      'RFC 3168, section 5, and RFC 9002, section 7.1: a mark is a loss. Compared with the server’s own TCP',
    readIn: ['marks'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'loadedRttMs'),
    alike: { share: 0.2, least: 8 },
    consequence: 'it fills the queue in spite of the marks, and all who share it wait',
  },
  {
    id: 'server-acks',
    title: 'Packets for one of the server’s',
    unit: 'packets',
    meaning:
      'Of an upload of 5 MB: packets of the client for one of the server’s, nearly all of which acknowledge.',
    source:
      'RFC 9000, section 13.2.2: two. Linux takes packets of TCP together before it acknowledges them, so TCP has no limit here',
    readIn: ['upload'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'acksPerPacket'),
    allowed: (protocol) => (protocol === 'h3' ? packetsForAcknowledgement + 1 : undefined),
    alike: { share: 0.2, least: 0.5 },
    consequence: 'clients that upload to it send in longer bursts, and see losses later',
  },
  {
    id: 'rested-flight',
    title: `First flight after ${senderPath.restSeconds} s of rest`,
    unit: 'packets',
    meaning:
      'A file of 300 KB is read, and after the rest again on the same connection: as the first flight, and no more than the file.',
    source:
      'RFC 5681, section 4.1: TCP begins anew, with ten. RFC 9002, section 7.8, lets QUIC keep its window: compared with the server’s own TCP',
    readIn: ['rest'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'restedFlightPackets'),
    allowed: (protocol) => (protocol === 'h2' ? initialWindowPackets + countedPackets : undefined),
    alike: { share: 0.2, least: 1 },
    consequence: 'answers come sooner, and it sends what the path bore before the rest',
  },
  {
    id: 'rested-burst',
    title: `Longest burst after ${senderPath.restSeconds} s of rest`,
    unit: 'packets',
    meaning: 'Most packets of this flight within one millisecond.',
    source: 'RFC 9002, section 7.7: QUIC paces, or limits bursts to the initial window. TCP has no limit',
    readIn: ['rest'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'restedBurstPackets'),
    allowed: (protocol) => (protocol === 'h3' ? initialWindowPackets + countedPackets : undefined),
    alike: { share: 0.2, least: 1 },
    consequence: 'short queues lose packets of it, and of others',
  },
  {
    id: 'slow-reader',
    title: 'Answer next to one that is not read',
    unit: 'ms',
    meaning: `A file of ${senderPath.unread.megabytes} MB is not read until its window is full. Then 1 MB is asked for on the same connection, and after 8 s the other is given up.`,
    source:
      'RFC 9000, section 4, and RFC 9113, section 5.2.1: each stream has its own window. Compared with the server’s own TCP',
    readIn: ['unread'],
    valueOf: timeNextToUnread,
    alike: { share: 0.5, least: 500 },
    consequence: 'one answer that a page does not read keeps all others on its connection back',
  },
];
