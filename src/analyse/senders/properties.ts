import { windowPackets } from '../../core/model/first-flights.ts';
import { numericMetric, type FirstFlight } from '../../core/model/metrics.ts';
import { allowedRateMbps } from './allowed-rate.ts';
import { furtherProperties } from './further-properties.ts';
import { senderPath, type Disturbance } from './sender-path.ts';
import {
  countedPackets,
  initialWindowPackets,
  type MeasuredTrial,
  type SenderProperty,
} from './sender-property.ts';

type KnownFlight = Extract<FirstFlight, { readonly packets: number }>;

/** The first flight, where it is known. */
function flightOf({ metrics: { firstFlight } }: MeasuredTrial): KnownFlight | undefined {
  return firstFlight === undefined || 'reason' in firstFlight ? undefined : firstFlight;
}

/** The same where its window ended it. */
function windowedFlightOf(trial: MeasuredTrial): KnownFlight | undefined {
  const flight = flightOf(trial);
  return flight?.isLeast === true ? undefined : flight;
}

/** A first flight of which it is known what may have made its window grow before. */
function flightPackets(trial: MeasuredTrial): number | undefined {
  const flight = windowedFlightOf(trial);
  if (flight?.acknowledgedBefore === undefined) return undefined;
  return windowPackets(flight.transport, flight, flight.largestPacketBytes);
}

/** The initial window, and what acknowledged packets before the flight add (RFC 5681, section 3.1; RFC 9002, section 7.3.1). */
function allowedFlightPackets(trial: MeasuredTrial): number | undefined {
  const flight = windowedFlightOf(trial);
  if (flight?.acknowledgedBefore === undefined) return undefined;
  const { transport, acknowledgedBefore, largestPacketBytes } = flight;
  const grownPackets = windowPackets(transport, acknowledgedBefore, largestPacketBytes);
  return initialWindowPackets + grownPackets + countedPackets;
}

/** The second round trip against the first, which were both ended by the window. */
function growthOf(trial: MeasuredTrial): number | undefined {
  const [first = 0, second = 0] = windowedFlightOf(trial)?.roundPackets ?? [];
  return first === 0 || second === 0 ? undefined : second / first;
}

function burstPackets(trial: MeasuredTrial): number | undefined {
  const flight = flightOf(trial);
  const bytes = numericMetric(trial.metrics, 'largestBurstBytes');
  return bytes === undefined || flight === undefined ? undefined : bytes / flight.largestPacketBytes;
}

function queueLossPercent({ counters = {} }: MeasuredTrial): number | undefined {
  const { emulatorDownQueueDrops: dropped, emulatorDownPackets: passed } = counters;
  if (dropped === undefined || passed === undefined || passed + dropped === 0) return undefined;
  return (100 * dropped) / (passed + dropped);
}

/** Where the rate never came back before the file ended, the time from the disturbance to the end: it takes longer than that. */
function recoveryMs({ metrics }: MeasuredTrial): number | undefined {
  const recovered = metrics['rateRecoveryMs'];
  if (recovered !== null) return numericMetric(metrics, 'rateRecoveryMs');
  const totalMs = numericMetric(metrics, 'totalRequestTimeMs');
  return totalMs === undefined ? undefined : totalMs - senderPath.disturbedFromMs - senderPath.burst.forMs;
}

/** Timers may be late by a round trip and a step of the link's count. */
const timerRoomMs = senderPath.roundTripMs + 100;

/** Slow start and the first losses raise the mean rate of a file of 1 MB, and of 2.5 MB, above what the steady state allows. */
const transientFactor = 2;

/** Of a file, while so many of its packets are lost at random. */
function rateAtLoss(
  id: string,
  lossPercent: number,
  disturbance: Disturbance,
  megabytes: number,
): SenderProperty {
  return {
    id,
    title: `Rate at ${lossPercent} % loss`,
    unit: 'Mbit/s',
    meaning: `Of a file of ${megabytes} MB, while packets are lost at random.`,
    source: `Mathis et al. 1997 for RFC 5681, and RFC 9438, section 5.1: ${transientFactor} times as much, as the file begins in slow start`,
    readIn: [disturbance],
    valueOf: ({ metrics }) => numericMetric(metrics, 'throughputMbps'),
    allowed: () => transientFactor * allowedRateMbps(lossPercent / 100, senderPath.roundTripMs),
    alike: { share: 0.25, least: 0.5 },
    consequence: 'it does not take losses for congestion, so connections that do get less next to it',
    consequenceOfLess: 'its users wait longer on paths that lose packets',
  };
}

function rateReordered(id: string, percent: number, disturbance: Disturbance): SenderProperty {
  return {
    id,
    title: `Rate with ${percent} % reordered`,
    unit: 'Mbit/s',
    meaning: 'While packets overtake others by half a round trip.',
    source: 'RFC 8985 and RFC 9002, section 6.1, let a sender bear it: compared with the server’s own TCP',
    readIn: [disturbance],
    valueOf: ({ metrics }) => numericMetric(metrics, 'throughputMbps'),
    alike: { share: 0.2, least: 1 },
    consequence: 'it bears what its TCP takes for loss',
    consequenceOfLess: 'it takes packets that were overtaken for lost ones, and slows down',
  };
}

/** Of the link, next to another client's download over TCP. */
function shareNextTo(other: 'cubic' | 'bbr', name: string): SenderProperty {
  return {
    id: `share-${other}`,
    title: `Share next to ${name}`,
    unit: '%',
    meaning: `Of the link's rate, while another client downloads over TCP with ${name}. Half would be an equal share.`,
    source: 'no RFC names a figure: compared with the server’s own TCP',
    readIn: [other],
    valueOf: ({ metrics }) => {
      const rateMbps = numericMetric(metrics, 'throughputMbps');
      return rateMbps === undefined ? undefined : (100 * rateMbps) / senderPath.rateMbps;
    },
    alike: { share: 0.2, least: 5 },
    consequence: 'it takes it from the other',
    consequenceOfLess: 'it gives way where its TCP does not',
  };
}

/**
 * Timeouts of a timer that doubles end T (2^k - 1) after the last packet. Between 1 and 3 s these are at most two, as
 * (3 + T) / (1 + T) < 2², with two packets each (RFC 9002, section 6.2.4); one more may be of another kind.
 */
const probesAllowed = 2 * 2 + 1;

/** In the order of the page. */
export const senderProperties: readonly SenderProperty[] = [
  {
    id: 'first-flight',
    title: 'First flight',
    unit: 'packets',
    meaning:
      'What the server sends before the first acknowledgement of it can have come back: packets of TCP, and of QUIC bytes in packets of its largest size.',
    source:
      'RFC 6928, section 2, and RFC 9002, section 7.2: ten packets. Each that was acknowledged before adds one (RFC 5681, section 3.1, and RFC 9002, section 7.3.1)',
    readIn: ['outage', 'burst'],
    valueOf: flightPackets,
    allowed: (_, trial) => allowedFlightPackets(trial),
    alike: { share: 0.2, least: 1 },
    consequence: 'short answers come sooner, and connections that begin at the same time lose more',
  },
  {
    id: 'growth',
    title: 'Growth in a round trip',
    unit: 'times',
    meaning: 'Packets of the second round trip against those of the first.',
    source: 'RFC 5681, section 3.1, and RFC 9002, section 7.3.1: it may double',
    readIn: ['outage', 'burst'],
    valueOf: growthOf,
    // Rounds are cut by times, so that a packet or two may fall into the next.
    allowed: () => 2.5,
    alike: { share: 0.2, least: 0.2 },
    consequence: 'it fills a queue before the path can answer',
  },
  {
    id: 'burst',
    title: 'Longest burst',
    unit: 'packets',
    meaning: 'Most packets that leave the server within one millisecond, among the first 768 packets.',
    source: 'RFC 9002, section 7.7: QUIC paces, or limits bursts to the initial window. TCP has no limit',
    readIn: ['outage', 'burst'],
    valueOf: burstPackets,
    allowed: (protocol) => (protocol === 'h3' ? initialWindowPackets + countedPackets : undefined),
    alike: { share: 0.2, least: 1 },
    consequence: 'short queues lose packets of it, and of others',
  },
  {
    id: 'queue-loss',
    title: 'Packets lost to its own queue',
    unit: '%',
    meaning: 'Packets that found the queue of one bandwidth-delay product full, of all that were sent.',
    source: 'no RFC names a figure: compared with the server’s own TCP',
    readIn: ['burst'],
    valueOf: queueLossPercent,
    alike: { share: 0.5, least: 0.5 },
    consequence: 'it sends again what it had sent too fast',
  },
  rateAtLoss('loss-rate', senderPath.lossPercent, 'loss', 1),
  {
    id: 'burst-recovery',
    title: `Back at its rate after ${senderPath.burst.lossPercent} % loss for ${senderPath.burst.forMs / 1000} s`,
    unit: 'ms',
    meaning: 'From the end of the losses to half a second with 90 % of the rate of the second before them.',
    source: 'no RFC names a figure: compared with the server’s own TCP',
    readIn: ['burst'],
    valueOf: recoveryMs,
    alike: { share: 0.5, least: 500 },
    consequence: 'users wait that long after each bad stretch of a radio link',
  },
  {
    id: 'outage-resume',
    title: `First data after ${senderPath.outage.forMs / 1000} s without a link`,
    unit: 'ms',
    meaning: 'From the end of the outage to the first packets of data.',
    source:
      'RFC 6298, section 5.5, and RFC 9002, section 6.2.1: timers double, so the next try is no further off than the outage was long',
    readIn: ['outage'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'outageResumeMs'),
    allowed: () => senderPath.outage.forMs + timerRoomMs,
    alike: { share: 0.5, least: 500 },
    consequence: 'users wait that long although the link is back',
  },
  {
    id: 'outage-probes',
    title: 'Packets into the outage',
    unit: 'packets',
    meaning: 'From a second after its beginning to its end.',
    source:
      'RFC 6298, section 5.5, and RFC 9002, sections 6.2.1 and 6.2.4: timers double, so at most two of them end in that time, with two packets each',
    readIn: ['outage'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'outageProbes'),
    allowed: () => probesAllowed,
    alike: { share: 0.5, least: 3 },
    consequence: 'when many connections lose their path it floods the path as it comes back',
  },
  {
    id: 'client-acks',
    title: 'Packets for one of the client’s',
    unit: 'packets',
    meaning: 'Of the client, which acknowledges them: packets of the server for one of its own.',
    source: 'RFC 9000, section 13.2.2, and RFC 5681, section 4.2: two. No server is held to it',
    readIn: ['burst', 'outage', 'loss'],
    isOfClient: true,
    valueOf: ({ metrics }) => {
      const share = numericMetric(metrics, 'acksPerPacket');
      return share === undefined || share === 0 ? undefined : 1 / share;
    },
    alike: { share: 0.2, least: 0.5 },
    consequence: 'its window grows in larger steps',
  },
  {
    id: 'client-ack-delay',
    title: 'Time until the client’s',
    unit: 'ms',
    meaning:
      'Of the client: from the first data that it has not answered to its next packet, median over the first packets of a connection.',
    source: 'RFC 9000, section 13.2.1: up to its max_ack_delay, usually 25 ms. No server is held to it',
    readIn: ['burst', 'outage', 'loss'],
    isOfClient: true,
    valueOf: ({ metrics }) => numericMetric(metrics, 'ackDelayMs'),
    alike: { share: 0.5, least: 1 },
    consequence: 'it is later to hear what has arrived',
  },
  shareNextTo('cubic', 'CUBIC'),
  shareNextTo('bbr', 'BBR'),
  rateAtLoss('less-loss-rate', senderPath.lessLossPercent, 'less-loss', 2.5),
  rateAtLoss('more-loss-rate', senderPath.moreLossPercent, 'more-loss', 2.5),
  rateReordered('reordering', senderPath.reorderPercent, 'reordering'),
  rateReordered('more-reordering', senderPath.moreReorderPercent, 'more-reordering'),
  ...furtherProperties,
];
