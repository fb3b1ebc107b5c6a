import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueCounts } from '../../src/core/model/link-queue.ts';
import { isManaged } from '../../src/core/model/queue-kind.ts';
import { serialisationMs, type PathCheck, type Way } from './path-checks.ts';
import {
  probe,
  receive,
  tcpReceiptSchema,
  tcpSendingSchema,
  udpReceiptSchema,
  udpSendingSchema,
} from './probe-path.ts';
import type { ShapedPath } from './shaped-path.ts';

/** Delay that each holds a standing queue at: RFC 8289 section 4.2, RFC 8290 section 5.2.1, RFC 9332 figure 2. */
const targetsMs: Readonly<Record<string, number>> = { codel: 5, 'fq-codel': 5, dualpi2: 15 };
/** Senders that slow down when a packet is lost, which is how these queues tell them. */
const lossBased: readonly string[] = ['reno', 'cubic'];
const loadMs = 4_000;
/** The start-up's queue is gone by then. */
const settledMs = 2_000;
const ipBytes = 1500;
/** What waits behind the packet that is sent and the one that follows it. */
const queuedPackets = 3;

/** Shares of the link that two flows want, and which each gets of a fair queue. */
const wantedShares = [0.6, 0.9] as const;
const fairPercent = 50;
const fairTolerancePercent = 3;
const fairSeconds = 1.5;
const fairIpBytes = 1428;
const idleMs = 700;
/** Sending half as much again as a faster link takes would measure the machine. */
const maxFairMbps = 300;
const firstPort = 9;

/** The time in the queue that this share of packets did not exceed, ms. */
function medianMs({ sojourns }: QueueCounts): number {
  const half = sojourns.reduce((sum, [, , count]) => sum + count, 0) / 2;
  let sum = 0;
  for (const [from, to, count] of sojourns) {
    sum += count;
    if (sum >= half) return (from + to) / 2000;
  }
  return 0;
}

/** How long packets stand in the queue of a direction while a sender without end fills the link. */
async function standingDelay(way: Way, path: ShapedPath, program: string): Promise<PathCheck[]> {
  const { direction, spec, from, to, toAddress } = way;
  const target = targetsMs[spec.queue ?? ''];
  if (target === undefined || path.queue === undefined || way.trace !== null) return [];
  const { sent } = await receive({
    place: to,
    program,
    words: ['receive-tcp', firstPort],
    schema: tcpReceiptSchema,
    send: async () => {
      const sending = probe(from, program, ['send-tcp', toAddress, firstPort, loadMs], tcpSendingSchema);
      await sleep(settledMs);
      await path.begin('start 1 0');
      return sending;
    },
  });
  const measured = medianMs((await path.queue())[direction].measured);
  const expected = lossBased.includes(sent.congestionControl) ? target : null;
  const toleranceMs = target + queuedPackets * serialisationMs(way, ipBytes);
  return [
    {
      direction,
      kind: 'standing-delay',
      quantity: `standing delay under TCP ${sent.congestionControl}, at most`,
      unit: 'ms',
      expected,
      measured,
      tolerance: expected === null ? null : toleranceMs,
      ok: expected === null || measured <= expected + toleranceMs,
    },
  ];
}

/** What the flow that wants less gets of a link of which both want more than half. */
async function fairness(way: Way, program: string): Promise<PathCheck[]> {
  const { direction, spec, from, to, toAddress, peakMbps } = way;
  if (spec.queue !== 'fq-codel' || way.trace !== null || peakMbps === null || peakMbps > maxFairMbps)
    return [];
  const flows = await Promise.all(
    wantedShares.map(async (share, index) => {
      const port = firstPort + index;
      const mbps = share * peakMbps;
      const count = Math.ceil((mbps * 1e6 * fairSeconds) / (fairIpBytes * 8));
      const words = ['send-udp', toAddress, port, fairIpBytes, mbps, count];
      const { received } = await receive({
        place: to,
        program,
        words: ['receive-udp', port, idleMs],
        schema: udpReceiptSchema,
        send: () => probe(from, program, words, udpSendingSchema),
      });
      return received.mbps;
    }),
  );
  const [less = 0] = flows;
  const measured = (100 * less) / flows.reduce((sum, mbps) => sum + mbps, 0);
  return [
    {
      direction,
      kind: 'fairness',
      quantity: 'share of the smaller of two flows that want 60 and 90 % of the link',
      unit: '%',
      expected: fairPercent,
      measured,
      tolerance: fairTolerancePercent,
      ok: Math.abs(measured - fairPercent) <= fairTolerancePercent,
    },
  ];
}

/** What a managed queue is for, in each direction that has one. */
export async function managedQueues(
  ways: readonly Way[],
  path: ShapedPath,
  program: string,
): Promise<PathCheck[]> {
  const checks: PathCheck[] = [];
  for (const way of ways.filter(({ spec }) => isManaged(spec))) {
    await path.begin('start 1 0');
    checks.push(...(await fairness(way, program)), ...(await standingDelay(way, path, program)));
  }
  return checks;
}
