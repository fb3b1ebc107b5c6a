import type { FrameSpread } from '../model/frame-spread.ts';
import { numericMetric } from '../model/metrics.ts';
import type { Arm } from '../model/plan.ts';
import type { TrialRecord } from '../model/record.ts';
import type { Summary } from '../model/summary.ts';
import type { ConditionTrials, TrialTable } from './comparison/trial-table.ts';
import { mostUsual } from './most-usual.ts';
import { equalShares } from './statistics/quantile.ts';

/**
 * How late frames of a broadcast were on the screen, over all valid trials of each condition and arm; nothing for a run whose
 * pictures do not say their numbers.
 */
export function frameDistributions(
  arms: readonly Arm[],
  { conditions }: TrialTable,
): Pick<Summary, 'frames'> {
  const spreads = conditions
    .filter(({ kind }) => kind === 'video')
    .flatMap((trials) => arms.flatMap(({ label }) => spreadOf(trials, label) ?? []));
  return spreads.length === 0 ? {} : { frames: spreads };
}

function spreadOf({ condition, recordsByArm }: ConditionTrials, arm: string): FrameSpread | undefined {
  const records = [...(recordsByArm.get(arm)?.values() ?? [])].filter(
    ({ status, metrics }) => status === 'ok' && metrics.frames !== undefined,
  );
  const usual = mostUsual(records, 'frameLatencyP95Ms');
  const frames = usual?.metrics.frames;
  if (usual === undefined || frames === undefined) return undefined;
  const latenciesMs = records
    .flatMap(({ metrics }) => metrics.frames?.shown ?? [])
    .map(([, latencyMs]) => latencyMs)
    .sort((a, b) => a - b);
  const counted = records.map(stalledSecondsOf);
  const { workload, client, network, server } = condition;
  return {
    workload,
    client,
    network,
    server,
    arm,
    trials: records.length,
    delayTargetMs: frames.delayTargetMs,
    shown: latenciesMs.length,
    late: total(records, 'lateFrames'),
    lost: total(records, 'lostFrames'),
    seconds: counted.reduce((sum, { seconds }) => sum + seconds, 0),
    stalledSeconds: counted.reduce((sum, { stalled }) => sum + stalled, 0),
    quantilesMs: equalShares(latenciesMs),
    blockIndex: usual.blockIndex,
    samples: [...frames.shown],
    stalls: [...(usual.metrics.stalls ?? [])],
  };
}

function total(records: readonly TrialRecord[], metric: string): number {
  return records.reduce((sum, { metrics }) => sum + (numericMetric(metrics, metric) ?? 0), 0);
}

/** Seconds from the first moving picture to the last one or to the end of the last stall, a begun one whole. */
function stalledSecondsOf({ metrics }: TrialRecord): { seconds: number; stalled: number } {
  const shown = metrics.frames?.shown ?? [];
  const stalls = metrics.stalls ?? [];
  const fromMs = shown[0]?.[0] ?? 0;
  const toMs = Math.max(shown.at(-1)?.[0] ?? 0, ...stalls.map(([, endMs]) => endMs));
  const seconds = Math.ceil((toMs - fromMs) / 1000);
  const stalled = Array.from({ length: seconds }, (_, second) => fromMs + second * 1000).filter((beginMs) =>
    stalls.some(([startMs, endMs]) => startMs < beginMs + 1000 && endMs > beginMs),
  ).length;
  return { seconds, stalled };
}
