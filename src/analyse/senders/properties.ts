import type { ArmProtocol } from '../../core/model/protocol.ts';
import { numericMetric, type FirstFlight } from '../../core/model/metrics.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { allowedRateMbps } from './allowed-rate.ts';
import { senderPath, type Disturbance } from './sender-path.ts';

type Measured = Pick<TrialRecord, 'metrics' | 'counters'>;

/** One thing by which a sender is known. */
export interface SenderProperty {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly meaning: string;
  /** Where the allowed value comes from, or why there is none. */
  readonly source: string;
  /** In trials of which it is read. */
  readonly readIn: readonly Disturbance[];
  /** Its value in a trial; undefined where the trial does not tell it. */
  readonly valueOf: (trial: Measured) => number | undefined;
  /** The most that the RFC of the protocol allows; undefined where it names no figure. */
  readonly allowed?: (protocol: ArmProtocol) => number | undefined;
  /** Up to this difference a sender does as the server's own TCP: a share of the median of that, or this much in the unit. */
  readonly alike: { readonly share: number; readonly least: number };
  /** What a larger value means for others or for users, a clause. */
  readonly consequence: string;
  /** What a smaller value means; absent: nothing bad. */
  readonly consequenceOfLess?: string;
}

/** So much may a property differ from a usual value and is called alike. */
export function roomOf({ alike }: Pick<SenderProperty, 'alike'>, usual: number): number {
  return Math.max(alike.least, alike.share * Math.abs(usual));
}

/** Of the RFCs: RFC 6928, section 2; RFC 9002, section 7.2. */
const initialWindowPackets = 10;

/** Packets of a first flight are counted from its bytes, of which tickets and settings take some. */
const countedPackets = 0.5;

type KnownFlight = Extract<FirstFlight, { readonly packets: number }>;

/** The first flight, where it is known. */
function flightOf({ metrics: { firstFlight } }: Measured): KnownFlight | undefined {
  return firstFlight === undefined || 'reason' in firstFlight ? undefined : firstFlight;
}

/** The same where its window ended it. */
function windowedFlightOf(trial: Measured): KnownFlight | undefined {
  const flight = flightOf(trial);
  return flight?.isLeast === true ? undefined : flight;
}

/** A first flight as its window counts it: of TCP in packets, of QUIC in bytes. */
function flightPackets(trial: Measured): number | undefined {
  const flight = windowedFlightOf(trial);
  if (flight === undefined) return undefined;
  const { transport, packets, bytes, largestPacketBytes } = flight;
  return transport === 'tcp' ? packets : bytes / largestPacketBytes;
}

/** The second round trip against the first, which were both ended by the window. */
function growthOf(trial: Measured): number | undefined {
  const [first = 0, second = 0] = windowedFlightOf(trial)?.roundPackets ?? [];
  return first === 0 || second === 0 ? undefined : second / first;
}

function burstPackets(trial: Measured): number | undefined {
  const flight = flightOf(trial);
  const bytes = numericMetric(trial.metrics, 'largestBurstBytes');
  return bytes === undefined || flight === undefined ? undefined : bytes / flight.largestPacketBytes;
}

function queueLossPercent({ counters = {} }: Measured): number | undefined {
  const { emulatorDownQueueDrops: dropped, emulatorDownPackets: passed } = counters;
  if (dropped === undefined || passed === undefined || passed + dropped === 0) return undefined;
  return (100 * dropped) / (passed + dropped);
}

/** Where the rate never came back before the file ended, the time from the disturbance to the end: it takes longer than that. */
function recoveryMs({ metrics }: Measured): number | undefined {
  const recovered = metrics['rateRecoveryMs'];
  if (recovered !== null) return numericMetric(metrics, 'rateRecoveryMs');
  const totalMs = numericMetric(metrics, 'totalRequestTimeMs');
  return totalMs === undefined ? undefined : totalMs - senderPath.disturbedFromMs - senderPath.burst.forMs;
}

/** Timers may be late by a round trip and a step of the link's count. */
const timerRoomMs = senderPath.roundTripMs + 100;

/** Slow start and the first losses raise the mean rate of a file of 2 MB above what the steady state allows. */
const transientFactor = 2;

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

/** In the order of the page. */
export const senderProperties: readonly SenderProperty[] = [
  {
    id: 'first-flight',
    title: 'First flight',
    unit: 'packets',
    meaning:
      'What the server sends before the first acknowledgement of it can have come back: packets of TCP, and of QUIC bytes in packets of its largest size.',
    source: 'RFC 6928, section 2, and RFC 9002, section 7.2: ten packets',
    readIn: ['burst', 'outage'],
    valueOf: flightPackets,
    allowed: () => initialWindowPackets + countedPackets,
    alike: { share: 0.2, least: 1 },
    consequence: 'short answers come sooner, and connections that begin at the same time lose more',
  },
  {
    id: 'growth',
    title: 'Growth in a round trip',
    unit: 'times',
    meaning: 'Packets of the second round trip against those of the first.',
    source: 'RFC 5681, section 3.1, and RFC 9002, section 7.3.1: it may double',
    readIn: ['burst', 'outage'],
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
    readIn: ['burst', 'outage'],
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
    readIn: ['burst', 'outage'],
    valueOf: queueLossPercent,
    alike: { share: 0.5, least: 0.5 },
    consequence: 'it sends again what it had sent too fast',
  },
  {
    id: 'loss-rate',
    title: `Rate at ${senderPath.lossPercent} % loss`,
    unit: 'Mbit/s',
    meaning: 'Of a file of 2 MB, while packets are lost at random.',
    source: `Mathis et al. 1997 for RFC 5681, and RFC 9438, section 5.1: ${transientFactor} times as much, as a file of 2 MB begins in slow start`,
    readIn: ['loss'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'throughputMbps'),
    allowed: () => transientFactor * allowedRateMbps(senderPath.lossPercent / 100, senderPath.roundTripMs),
    alike: { share: 0.25, least: 0.5 },
    consequence: 'it does not take losses for congestion, so connections that do get less next to it',
    consequenceOfLess: 'its users wait longer on paths that lose packets',
  },
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
  shareNextTo('cubic', 'CUBIC'),
  shareNextTo('bbr', 'BBR'),
  {
    id: 'reordering',
    title: `Rate with ${senderPath.reorderPercent} % reordered`,
    unit: 'Mbit/s',
    meaning: 'While packets overtake others by half a round trip.',
    source: 'RFC 8985 and RFC 9002, section 6.1, let a sender bear it: compared with the server’s own TCP',
    readIn: ['reordering'],
    valueOf: ({ metrics }) => numericMetric(metrics, 'throughputMbps'),
    alike: { share: 0.2, least: 1 },
    consequence: 'it bears what its TCP takes for loss',
    consequenceOfLess: 'it takes packets that were overtaken for lost ones, and slows down',
  },
];
