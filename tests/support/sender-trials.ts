import { fingerprint, minRepeats } from '../../src/analyse/senders/fingerprint.ts';
import { disturbingFactors, type Disturbance } from '../../src/analyse/senders/sender-path.ts';
import type { FirstFlight, TrialMetrics } from '../../src/core/model/metrics.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { MeasuredProperty } from '../../src/core/model/senders.ts';

/** What of a record tells properties of a sender. */
export type Trial = Pick<TrialRecord, 'blockIndex' | 'status' | 'factors' | 'metrics' | 'counters'>;

/** What the trials of a made-up sender show. */
export interface Planted {
  /** Acknowledged before the first flight ended. */
  readonly handshakePackets: number;
  readonly flightPackets: number;
  readonly secondRound: number;
  readonly burstPackets: number;
  readonly queueDrops: number;
  readonly rateMbps: number;
  readonly recoveryMs: number | null;
  readonly resumeMs: number;
  readonly probes: number;
  readonly windowPercent: number;
  readonly answerMs: number;
  readonly connectMs: number;
  readonly amplification: number;
  readonly queueRttMs: number;
}

/** As Linux sends over TCP with CUBIC. */
export const usual: Planted = {
  handshakePackets: 2,
  flightPackets: 10,
  secondRound: 20,
  burstPackets: 10,
  queueDrops: 20,
  rateMbps: 2.5,
  recoveryMs: 600,
  resumeMs: 700,
  probes: 3,
  windowPercent: 72,
  answerMs: 350,
  connectMs: 1110,
  amplification: 2.9,
  queueRttMs: 47,
};

export const packetBytes = 1500;

export function withMetrics(
  metrics: TrialMetrics,
  others: Readonly<Record<string, number | null | FirstFlight>>,
): TrialMetrics {
  return Object.assign({ ...metrics }, others);
}

export function trialOf(planted: Planted, blockIndex: number, disturbance: Disturbance): Trial {
  // Blocks of one sender are not all alike.
  const spread = 1 + 0.01 * blockIndex;
  return {
    blockIndex,
    status: 'ok',
    factors: { protocol: 'h3', server: 'go', ...disturbingFactors[disturbance] },
    metrics: withMetrics(
      {},
      {
        firstFlight: {
          transport: 'udp',
          packets: planted.flightPackets,
          bytes: planted.flightPackets * packetBytes,
          isLeast: false,
          largestPacketBytes: packetBytes,
          acknowledgedBefore: {
            packets: planted.handshakePackets,
            bytes: planted.handshakePackets * packetBytes,
          },
          roundPackets: [planted.flightPackets, planted.secondRound],
        },
        largestBurstBytes: planted.burstPackets * packetBytes,
        throughputMbps: planted.rateMbps * spread,
        rateRecoveryMs: planted.recoveryMs === null ? null : planted.recoveryMs * spread,
        totalRequestTimeMs: disturbance === 'tail-lost' ? planted.answerMs * spread : 30_000,
        outageResumeMs: planted.resumeMs * spread,
        outageProbes: planted.probes,
        acksPerPacket: 0.5,
        ackDelayMs: 2 * spread,
        lossWindowPercent: planted.windowPercent * spread,
        ttfbWithConnectMs: planted.connectMs * spread,
        amplificationFactor: planted.amplification,
        loadedRttMs: planted.queueRttMs * spread,
      },
    ),
    counters: { emulatorDownPackets: 5000, emulatorDownQueueDrops: planted.queueDrops },
  };
}

export const trialsOf = (planted: Planted, blocks = minRepeats): Trial[] =>
  Array.from({ length: blocks }, (_, block) =>
    (['burst', 'outage', 'loss'] as const).map((disturbance) => trialOf(planted, block, disturbance)),
  ).flat();

/** By property, over HTTP/3. */
export function verdicts(own: Planted, tcp: Planted = usual, blocks = minRepeats): Record<string, string> {
  return verdictsOf(fingerprint('h3', trialsOf(own, blocks), trialsOf(tcp, blocks)));
}

export const verdictsOf = (measured: readonly MeasuredProperty[]): Record<string, string> =>
  Object.fromEntries(measured.map(({ property, verdict }) => [property, verdict]));
