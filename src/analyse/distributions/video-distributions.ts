import type { ChunkMetric } from '../../core/model/metrics.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Arm, Condition } from '../../core/model/plan.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { reachedDeadline } from '../comparison/trial-table.ts';
import { quantileOfSorted } from '../statistics/quantile.ts';
import { viewingOf } from './viewing.ts';

type LadderSteps = NonNullable<Summary['ladderSteps']>[number];
type ChunkBitrates = NonNullable<Summary['chunkBitrates']>[number];

interface ArmSessions {
  readonly place: Omit<Condition, 'conditionId'> & { readonly arm: string };
  readonly ladderKbps: readonly number[];
  readonly sessions: ChunkMetric[][];
}

/**
 * What viewers got, and what the sessions of each condition and arm fetched: media time by ladder step, and the spread of chunk bitrates. Only
 * blocks of which every arm has a session count, because on a path that changes from block to block a lost session of
 * one arm would look like a difference; where no block has them all, every session counts.
 */
export function videoDistributions(
  arms: readonly Arm[],
  table: TrialTable,
): Pick<Summary, 'viewing' | 'ladderSteps' | 'chunkBitrates'> {
  const groups = sessionsByArm(arms, table);
  const viewing = viewingOf(arms, table);
  if (groups.length === 0) return viewing;
  return { ...viewing, ladderSteps: groups.map(ladderSteps), chunkBitrates: groups.map(chunkBitrates) };
}

function sessionsByArm(arms: readonly Arm[], { conditions }: TrialTable): ArmSessions[] {
  return conditions.flatMap((trials) => {
    const { workload, client, network, server } = trials.condition;
    const shared = sharedBlocks(arms, trials);
    return arms.flatMap(({ label: arm }) => {
      const counted = sessionsOf(trials, arm).filter(({ blockIndex }) => shared.has(blockIndex));
      const sessions = counted.flatMap(({ metrics }) =>
        metrics.chunks === undefined ? [] : [metrics.chunks],
      );
      if (sessions.length === 0) return [];
      const rates = [
        ...counted.flatMap(({ metrics }) => metrics.ladderKbps ?? []),
        ...sessions.flat().map(({ bitrateKbps }) => bitrateKbps),
      ];
      return { place: { workload, client, network, server, arm }, ladderKbps: ascending(rates), sessions };
    });
  });
}

/** The records of an arm that hold a session with chunks. */
function sessionsOf({ recordsByArm }: ConditionTrials, arm: string): TrialRecord[] {
  return [...(recordsByArm.get(arm)?.values() ?? [])].filter(
    (record) =>
      (record.status === 'ok' || reachedDeadline(record)) &&
      record.metrics.chunks !== undefined &&
      record.metrics.chunks.length > 0,
  );
}

/** Blocks with a session of every arm that has any; all blocks where there is none such. */
function sharedBlocks(arms: readonly Arm[], trials: ConditionTrials): ReadonlySet<number> {
  const byArm = arms
    .map(({ label }) => new Set(sessionsOf(trials, label).map(({ blockIndex }) => blockIndex)))
    .filter(({ size }) => size > 0);
  const shared = trials.blocks.filter((block) => byArm.every((blocks) => blocks.has(block)));
  return new Set(shared.length > 0 ? shared : trials.blocks);
}

/** Each value once. */
function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function ladderSteps({ place, ladderKbps, sessions }: ArmSessions): LadderSteps {
  const chunks = sessions.flat();
  const totalMs = chunks.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const shareOf = (rate: number): number =>
    chunks.reduce((sum, chunk) => sum + (chunk.bitrateKbps === rate ? chunk.durationMs : 0), 0) / totalMs;
  return {
    ...place,
    sessions: sessions.length,
    steps:
      totalMs > 0 ? ladderKbps.map((bitrateKbps) => ({ bitrateKbps, timeShare: shareOf(bitrateKbps) })) : [],
  };
}

function chunkBitrates({ place, sessions }: ArmSessions): ChunkBitrates {
  const chunks = sessions.flat();
  const rates = chunks.map(({ bitrateKbps }) => bitrateKbps).sort((a, b) => a - b);
  const at = (share: number): number => quantileOfSorted(rates, share) ?? 0;
  return {
    ...place,
    chunkSeconds: chunks.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0) / 1000,
    chunks: chunks.length,
    meanKbps: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
    quantilesKbps: [at(0), at(0.25), at(0.5), at(0.75), at(1)],
  };
}
