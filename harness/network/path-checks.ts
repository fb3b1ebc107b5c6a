import type { z } from 'zod';
import type { pathCheckSchema, PathCheckKind } from '../../src/core/model/environment.ts';
import { meanLoss, type DirectionSpec } from '../../src/core/model/network-spec.ts';
import type { Namespace } from './namespace.ts';
import {
  pingSchema,
  probe,
  receive,
  tcpReceiptSchema,
  tcpSendingSchema,
  udpReceiptSchema,
  udpSendingSchema,
  withEcho,
} from './probe-path.ts';
import { megabitsBetween, type Trace } from './traces/trace.ts';

export type PathCheck = Omit<z.infer<typeof pathCheckSchema>, 'kind'> & { readonly kind: PathCheckKind };

/** Bytes of a small probe as an IP packet, and of a large one. */
const smallIpBytes = 44;
const largeIpBytes = 1428;
const pingGapUs = 5_000;
const lossPackets = 10_000;
/** Share of the rate at which small packets are sent: no queue must build up. */
const lossTestShare = 0.4;
const freeLossTestMbps = 5;
const tcpTestMs = 1000;
/** Beyond this mean loss one connection may wait for minutes, and nothing is expected of its rate anyway. */
const maxLossForTcp = 0.08;
/** TCP has left its start-up behind within the test's first half up to this round-trip time. */
const settledRttMs = 20;
/** One second of a loss-based sender, which fills and drains the queue: a path much slower than it says is found. */
const tcpTolerance = 0.25;
const port = 9;

/** How long each test of a path goes on, and how often. */
export interface CheckTimes {
  /** Round trips, one after the other. */
  readonly pings: number;
  /** The test for loss takes no longer, at the cost of fewer packets and so of a wider tolerance. */
  readonly maxLossSeconds: number;
  readonly rateSeconds: number;
  /** How far from the rate, as a share of it. */
  readonly rateTolerance: number;
  /** A test has ended when nothing came for so long. */
  readonly idleMs: number;
}

/** One direction of a path under test. */
export interface Way {
  readonly direction: 'up' | 'down';
  readonly spec: DirectionSpec;
  readonly trace: Trace | null;
  /** Lowest and highest rate while checks run; null without a limit. */
  readonly minMbps: number | null;
  readonly peakMbps: number | null;
  /** Nothing is set but the speed of a link. */
  readonly isLink: boolean;
  readonly from: Namespace;
  readonly to: Namespace;
  readonly toAddress: string;
  readonly times: CheckTimes;
}

/** Where in its trace a path is, by the clock of `process.hrtime`. */
export interface TracePosition {
  readonly beganNs: number;
  readonly offsetMs: number;
}

interface CheckOptions {
  readonly direction: Way['direction'];
  readonly kind: PathCheckKind;
  readonly quantity: string;
  readonly unit: string;
  readonly expected: number | null;
  readonly measured: number;
  readonly tolerance: number | null;
}

function check({ direction, kind, quantity, unit, expected, measured, tolerance }: CheckOptions): PathCheck {
  const ok = expected === null || tolerance === null || Math.abs(measured - expected) <= tolerance;
  return { direction, kind, quantity, unit, expected, measured, tolerance, ok };
}

/** A rate of a link on which nothing else is set: it must not be exceeded; whether it is reached is the machine's doing. */
function udpRateAtMost({ direction, times }: Way, most: number, measured: number): PathCheck {
  const tolerance = times.rateTolerance * most;
  return {
    direction,
    kind: 'udp-rate',
    quantity: 'rate, UDP at 110 %, at most',
    unit: 'Mbit/s',
    expected: most,
    measured,
    tolerance,
    ok: measured <= most + tolerance,
  };
}

/** max(0.5 ms, 2 %). */
function delayToleranceMs(delayMs: number): number {
  return Math.max(0.5, 0.02 * delayMs);
}

export function serialisationMs(way: Way, ipBytes: number): number {
  const rateMbps = way.minMbps;
  return rateMbps === null ? 0 : (ipBytes * 8) / 1000 / rateMbps;
}

export async function roundTrip(way: Way, back: Way, program: string): Promise<PathCheck> {
  const expectedMs =
    way.spec.delayMs +
    back.spec.delayMs +
    serialisationMs(way, smallIpBytes) +
    serialisationMs(back, smallIpBytes);
  const ping = ['ping', way.toAddress, port, way.times.pings, pingGapUs];
  const { medianUs } = await withEcho(way.to, program, port, () =>
    probe(way.from, program, ping, pingSchema),
  );
  const toleranceMs = delayToleranceMs(expectedMs) + way.spec.jitterMs + back.spec.jitterMs;
  return check({
    direction: way.direction,
    kind: 'round-trip-time',
    quantity: 'round-trip time',
    unit: 'ms',
    expected: expectedMs,
    measured: medianUs / 1000,
    tolerance: toleranceMs,
  });
}

/** Standard deviation of the share lost of `count` packets, bursts included. */
export function lossDeviation(spec: DirectionSpec, count: number): number {
  const loss = meanLoss(spec);
  const states = spec.gilbertElliott;
  // Successive packets of a two-state chain correlate by 1 − p − r (Gilbert 1960), which widens the sum's variance.
  const correlation = states ? 1 - (states.goodToBadPercent + states.badToGoodPercent) / 100 : 0;
  return Math.sqrt(((loss * (1 - loss)) / count) * ((1 + correlation) / (1 - correlation)));
}

interface UdpLoad {
  readonly ipBytes: number;
  readonly sendMbps: number;
  readonly count: number;
}

/** Sends datagrams one way, with what arrived and what was sent. */
function sendUdp(
  way: Way,
  program: string,
  { ipBytes, sendMbps, count }: UdpLoad,
): Promise<{
  readonly received: z.infer<typeof udpReceiptSchema>;
  readonly sent: z.infer<typeof udpSendingSchema>;
}> {
  const words = ['send-udp', way.toAddress, port, ipBytes, sendMbps, count];
  // When all have come nothing is waited for, unless copies may follow.
  const all = (way.spec.duplicatePercent ?? 0) > 0 ? 0 : count;
  return receive({
    place: way.to,
    program,
    words: ['receive-udp', port, way.times.idleMs, all, overtakingMs(way.spec)],
    schema: udpReceiptSchema,
    send: () => probe(way.from, program, words, udpSendingSchema),
  });
}

/** So long before a link's first packets in order come those that overtake them, ms: no rate begins with these. */
const overtakingMs = ({ reorderPercent, delayMs, jitterMs }: DirectionSpec): number =>
  reorderPercent > 0 ? Math.ceil(delayMs + jitterMs) : 0;

/** Share of packets of which nothing arrives: a copy may stand for an original that is lost. */
function lossOfOriginals(spec: DirectionSpec): number {
  const loss = meanLoss(spec);
  return loss * (1 - ((spec.duplicatePercent ?? 0) / 100) * (1 - loss));
}

export async function lossAndOrder(way: Way, program: string): Promise<PathCheck[]> {
  const { spec, direction } = way;
  const rateMbps = way.minMbps;
  const sendMbps =
    rateMbps === null ? freeLossTestMbps : Math.min(freeLossTestMbps, rateMbps * lossTestShare);
  const perSecond = (sendMbps * 1e6) / (smallIpBytes * 8);
  const count = Math.floor(Math.min(lossPackets, perSecond * way.times.maxLossSeconds));
  const { received, sent } = await sendUdp(way, program, { ipBytes: smallIpBytes, sendMbps, count });
  const { repeated } = received;
  const lostPercent = 100 * (1 - (received.packets - repeated) / sent.sent);
  const expectedMs = spec.delayMs + serialisationMs(way, smallIpBytes);
  return [
    check({
      direction,
      kind: 'one-way-delay',
      quantity: 'one-way delay',
      unit: 'ms',
      expected: expectedMs,
      measured: received.medianDelayUs / 1000,
      tolerance: delayToleranceMs(expectedMs) + spec.jitterMs,
    }),
    check({
      direction,
      kind: 'loss',
      quantity: `loss of ${sent.sent} packets`,
      unit: '%',
      expected: 100 * lossOfOriginals(spec),
      measured: lostPercent,
      tolerance: 300 * lossDeviation(spec, sent.sent),
    }),
    check({
      direction,
      kind: 'overtaken',
      quantity: 'packets that arrived after a later one',
      unit: '%',
      // How many packets one that skips the delay overtakes depends on the rate; none may without that.
      expected: spec.reorderPercent > 0 ? null : 0,
      measured: (100 * received.overtaken) / Math.max(1, received.packets),
      tolerance: spec.reorderPercent > 0 ? null : 0,
    }),
    ...copies(way, (100 * repeated) / sent.sent, sent.sent),
  ];
}

/** Where the path makes copies: each comes right behind its packet unless something reorders them, and may be lost as well. */
function copies({ direction, spec }: Way, measured: number, count: number): PathCheck[] {
  const { duplicatePercent = 0, jitterMs, reorderPercent } = spec;
  if (duplicatePercent === 0) return [];
  const share = (duplicatePercent / 100) * (1 - meanLoss(spec)) ** 2;
  const isKnown = jitterMs === 0 && reorderPercent === 0;
  return [
    check({
      direction,
      kind: 'copies',
      quantity: 'packets that came twice',
      unit: '%',
      expected: isKnown ? 100 * share : null,
      measured,
      tolerance: isKnown ? 300 * Math.sqrt((share * (1 - share)) / count) : null,
    }),
  ];
}

/** More than a link takes, in large packets. */
function overload({ spec, times }: Way, rateMbps: number): UdpLoad {
  const sendMbps = (1.1 * rateMbps) / (1 - meanLoss(spec));
  const seconds = times.rateSeconds + overtakingMs(spec) / 1000;
  const count = Math.ceil((sendMbps * 1e6 * seconds) / (largeIpBytes * 8));
  return { ipBytes: largeIpBytes, sendMbps, count };
}

/** What both directions of a half-duplex link get together while each is sent as much as the link takes alone. */
export async function sharedRate(up: Way, down: Way, program: string): Promise<PathCheck> {
  const rateMbps = up.peakMbps ?? 0;
  const both = await Promise.all([up, down].map((way) => sendUdp(way, program, overload(way, rateMbps))));
  const receipts = both.map(({ received }) => received);
  const megabits = receipts.reduce((sum, { mbps, seconds }) => sum + mbps * seconds, 0);
  const firstNs = Math.min(...receipts.map((receipt) => receipt.firstNs));
  const lastNs = Math.max(...receipts.map((receipt) => receipt.lastNs));
  return check({
    direction: 'up',
    kind: 'shared-udp-rate',
    quantity: 'rate of both directions at once, UDP at 110 % each',
    unit: 'Mbit/s',
    expected: rateMbps,
    measured: megabits / ((lastNs - firstNs) / 1e9),
    tolerance: 2 * up.times.rateTolerance * rateMbps,
  });
}

export async function udpRate(way: Way, program: string, position: TracePosition): Promise<PathCheck[]> {
  const { spec, trace, direction } = way;
  const rateMbps = way.peakMbps;
  if (rateMbps === null) return [];
  const { received } = await sendUdp(way, program, overload(way, rateMbps));
  const expected = trace
    ? traceRate(
        trace,
        position.offsetMs + (received.firstNs - position.beganNs) / 1e6 - spec.delayMs,
        received.seconds * 1000,
      )
    : rateMbps;
  if (way.isLink) return [udpRateAtMost(way, expected, received.mbps)];
  return [
    check({
      direction,
      kind: 'udp-rate',
      quantity: 'rate, UDP at 110 %',
      unit: 'Mbit/s',
      expected,
      measured: received.mbps,
      tolerance: way.times.rateTolerance * expected,
    }),
  ];
}

function traceRate(trace: Trace, fromMs: number, durationMs: number): number {
  return megabitsBetween(trace, fromMs, fromMs + durationMs) / (durationMs / 1000);
}

export async function tcpRate(way: Way, back: Way, program: string): Promise<PathCheck[]> {
  const { spec, trace, direction } = way;
  if (Math.max(meanLoss(spec), meanLoss(back.spec)) > maxLossForTcp) return [];
  const { received, sent } = await receive({
    place: way.to,
    program,
    words: ['receive-tcp', port],
    schema: tcpReceiptSchema,
    send: () => probe(way.from, program, ['send-tcp', way.toAddress, port, tcpTestMs], tcpSendingSchema),
  });
  const clean =
    meanLoss(spec) === 0 &&
    meanLoss(back.spec) === 0 &&
    spec.reorderPercent === 0 &&
    (spec.duplicatePercent ?? 0) === 0;
  const rttMs = spec.delayMs + back.spec.delayMs;
  const predictable = clean && !way.isLink && trace === null && back.trace === null && rttMs <= settledRttMs;
  const payload = (1500 - 52) / 1500;
  const expected = predictable && spec.rateMbps !== null ? spec.rateMbps * payload : null;
  return [
    check({
      direction,
      kind: 'tcp-rate',
      quantity: `rate, TCP ${sent.congestionControl}`,
      unit: 'Mbit/s',
      expected,
      measured: received.settledMbps,
      tolerance: expected === null ? null : tcpTolerance * expected,
    }),
    check({
      direction,
      kind: 'tcp-reordering',
      quantity: 'reordering that TCP saw (3: none)',
      unit: 'packets',
      expected: clean ? 3 : null,
      measured: sent.reordering,
      tolerance: clean ? 0 : null,
    }),
  ];
}
