import { meanLoss, type DirectionSpec } from '../../src/core/model/network-spec.ts';
import type { Trace } from './traces/trace.ts';

/** netem counts packets in its delay line against its limit, so this must hold the longest delay at the highest rate. */
const netemLimitPackets = 1_000_000;
/** The kernel's token bucket counts the link header of its devices; tc's size table takes it off again. */
const linkHeaderBytes = 14;
/** One packet and its header, and what one timer tick of the kernel lets through at high rates. */
const minBurstBytes = 1600;
const tickSeconds = 0.0005;

function lossWords(direction: DirectionSpec): string[] {
  const { gilbertElliott } = direction;
  if (gilbertElliott) {
    const { goodToBadPercent, badToGoodPercent, lossInBadPercent, lossInGoodPercent } = gilbertElliott;
    // gemodel p r 1-h 1-k: chances to change state, loss in the bad and in the good one (tc-netem(8)).
    return [
      'loss',
      'gemodel',
      ...[goodToBadPercent, badToGoodPercent, lossInBadPercent, lossInGoodPercent].map(
        (share) => `${share}%`,
      ),
    ];
  }
  return meanLoss(direction) > 0 ? ['loss', 'random', `${direction.lossPercent}%`] : [];
}

/** The arguments of netem for a direction: delay, jitter, loss, reordering. */
export function netemWords(direction: DirectionSpec): string[] {
  const { delayMs, jitterMs, reorderPercent, duplicatePercent = 0 } = direction;
  const delay = [`${delayMs}ms`, ...(jitterMs > 0 ? [`${jitterMs}ms`] : [])];
  return [
    'netem',
    'limit',
    String(netemLimitPackets),
    'delay',
    ...delay,
    ...lossWords(direction),
    ...(duplicatePercent > 0 ? ['duplicate', `${duplicatePercent}%`] : []),
    ...(reorderPercent > 0 ? ['reorder', `${reorderPercent}%`] : []),
  ];
}

/** The arguments of the token bucket that makes rate and queue. */
export function rateWords(rateMbps: number, queueBytes: number): string[] {
  const burstBytes = Math.max(minBurstBytes, Math.round((rateMbps * 1e6 * tickSeconds) / 8));
  return [
    'tbf',
    'rate',
    `${Math.round(rateMbps * 1e6)}bit`,
    'burst',
    String(burstBytes),
    'limit',
    String(queueBytes + burstBytes),
  ];
}

/** Rate of a direction before its trace begins: the trace's first that is above 0. */
function firstRate(direction: DirectionSpec, trace: Trace | null): number | null {
  if (trace?.kind === 'steps') return trace.steps.find(({ mbps }) => mbps > 0)?.mbps ?? null;
  return direction.rateMbps;
}

/**
 * Commands of `tc` that shape what leaves `device`, which faces the receiver: loss and delay by netem, and as its child
 * a token bucket with a drop-tail queue in bytes. A constant delay before the queue or behind it is the same to a flow.
 */
export function shapeCommands(device: string, direction: DirectionSpec, trace: Trace | null): string[] {
  const stab = `stab overhead -${linkHeaderBytes} linklayer ethernet`;
  const root = `tc qdisc replace dev ${device} root handle 1: ${stab} ${netemWords(direction).join(' ')}`;
  const rateMbps = firstRate(direction, trace);
  if (rateMbps === null || direction.queueBytes === null) return [root];
  const child = `tc qdisc add dev ${device} parent 1: handle 2: ${stab} ${rateWords(rateMbps, direction.queueBytes).join(' ')}`;
  return [root, child];
}

/** A line for `tc -batch` that gives a direction another rate. */
export function rateChangeLine(device: string, rateMbps: number, queueBytes: number): string {
  return `qdisc change dev ${device} parent 1: handle 2: ${rateWords(rateMbps, queueBytes).join(' ')}`;
}
