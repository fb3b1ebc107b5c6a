import { sum } from '../../core/metrics/evidence/numbers.ts';
import type { FrameSpread, LowestDelay } from '../../core/model/frame-spread.ts';
import { numericMetric, type TrialMetrics } from '../../core/model/metrics.ts';
import type { Arm } from '../../core/model/plan.ts';
import type { Summary } from '../../core/model/summary.ts';
import { trialsByArm, type ArmTrials } from './arm-trials.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import { equalShares } from '../statistics/quantile.ts';

/** A viewer accepts stalls in fewer than this share of seconds. */
const acceptedStalls = 0.01;

/**
 * How late frames of a broadcast were on the screen, over all valid trials of each condition and arm, and the lowest delay at which
 * each arm holds; nothing for a run whose pictures do not say their numbers.
 */
export function frameDistributions(
  arms: readonly Arm[],
  table: TrialTable,
): Pick<Summary, 'frames' | 'lowestDelays'> {
  const trials = trialsByArm(arms, table, { kind: 'video', series: 'frames', shownBy: 'frameLatencyP95Ms' });
  if (trials.length === 0) return {};
  const frames = trials.map(spreadOf);
  const lowest = lowestDelays(frames);
  return { frames, ...(lowest.length === 0 ? {} : { lowestDelays: lowest }) };
}

function spreadOf({ place, metrics, usual }: ArmTrials): FrameSpread {
  const latenciesMs = metrics
    .flatMap(({ frames }) => frames?.shown ?? [])
    .map(([, latencyMs]) => latencyMs)
    .sort((a, b) => a - b);
  const total = (metric: string): number => sum(metrics.map((one) => numericMetric(one, metric) ?? 0));
  const counted = metrics.map(stalledSecondsOf);
  return {
    ...place,
    delayTargetMs: usual.frames?.delayTargetMs ?? 0,
    shown: latenciesMs.length,
    late: total('lateFrames'),
    lost: total('lostFrames'),
    seconds: sum(counted.map(({ seconds }) => seconds)),
    stalledSeconds: sum(counted.map(({ stalled }) => stalled)),
    quantilesMs: equalShares(latenciesMs),
    samples: [...(usual.frames?.shown ?? [])],
    stalls: [...(usual.stalls ?? [])],
  };
}

/** Seconds from the first moving picture to the last one or to the end of the last stall, a begun one whole. */
function stalledSecondsOf({ frames, stalls = [] }: TrialMetrics): { seconds: number; stalled: number } {
  const shown = frames?.shown ?? [];
  const fromMs = shown[0]?.[0] ?? 0;
  const toMs = Math.max(shown.at(-1)?.[0] ?? 0, ...stalls.map(([, endMs]) => endMs));
  const seconds = Math.ceil((toMs - fromMs) / 1000);
  const stalled = Array.from({ length: seconds }, (_, second) => fromMs + second * 1000).filter((beginMs) =>
    stalls.some(([startMs, endMs]) => startMs < beginMs + 1000 && endMs > beginMs),
  ).length;
  return { seconds, stalled };
}

/** Of each arm that was told several delays in one place: the lowest from which on it holds. */
export function lowestDelays(frames: readonly FrameSpread[]): LowestDelay[] {
  const byArm = Map.groupBy(frames, ({ client, network, server, arm }) =>
    [client, network, server, arm].join('|'),
  );
  return [...byArm.values()].flatMap((members) => {
    const sorted = members.toSorted((a, b) => a.delayTargetMs - b.delayTargetMs);
    const [first] = sorted;
    if (first === undefined || sorted.length === 1) return [];
    const { client, network, server, arm } = first;
    // A longer delay that stalls again shows that the shorter one was luck.
    const held = sorted[sorted.findLastIndex((spread) => !isAccepted(spread)) + 1];
    return [
      {
        client,
        network,
        server,
        arm,
        triedMs: sorted.map(({ delayTargetMs }) => delayTargetMs),
        holds: held === undefined ? null : holdsOf(held),
      },
    ];
  });
}

const isAccepted = ({ seconds, stalledSeconds }: FrameSpread): boolean =>
  seconds > 0 && stalledSeconds / seconds < acceptedStalls;

function holdsOf({ delayTargetMs, seconds, stalledSeconds }: FrameSpread): LowestDelay['holds'] {
  return { delayTargetMs, seconds, stalledSeconds };
}
