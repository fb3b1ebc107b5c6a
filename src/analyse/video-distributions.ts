import type { ChunkMetric } from '../model/metrics.ts';
import type { Arm, Condition } from '../model/plan.ts';
import type { Summary } from '../model/summary.ts';
import type { TrialTable } from './comparison/trial-table.ts';
import { reachedDeadline } from './comparison/trial-table.ts';
import { quantileOfSorted } from './statistics/quantile.ts';

type LadderSteps = NonNullable<Summary['ladderSteps']>[number];
type ChunkBitrates = NonNullable<Summary['chunkBitrates']>[number];

interface ArmSessions {
  readonly place: Omit<Condition, 'conditionId'> & { readonly arm: string };
  readonly ladderKbps: readonly number[];
  readonly sessions: ChunkMetric[][];
}

/** What the sessions of each condition and arm fetched: media time by ladder step, and the spread of chunk bitrates. */
export function videoDistributions(
  arms: readonly Arm[],
  table: TrialTable,
): Pick<Summary, 'ladderSteps' | 'chunkBitrates'> {
  const groups = sessionsByArm(arms, table);
  if (groups.length === 0) return {};
  return { ladderSteps: groups.map(ladderSteps), chunkBitrates: groups.map(chunkBitrates) };
}

function sessionsByArm(arms: readonly Arm[], { conditions }: TrialTable): ArmSessions[] {
  return conditions.flatMap(({ condition, recordsByArm }) =>
    arms.flatMap(({ label: arm }) => {
      const { workload, client, network, server } = condition;
      const counted = [...(recordsByArm.get(arm)?.values() ?? [])].filter(
        (record) => record.status === 'ok' || reachedDeadline(record),
      );
      const sessions = counted.flatMap(({ metrics }) =>
        metrics.chunks !== undefined && metrics.chunks.length > 0 ? [metrics.chunks] : [],
      );
      if (sessions.length === 0) return [];
      const rates = [
        ...counted.flatMap(({ metrics }) => metrics.ladderKbps ?? []),
        ...sessions.flat().map(({ bitrateKbps }) => bitrateKbps),
      ];
      return { place: { workload, client, network, server, arm }, ladderKbps: ascending(rates), sessions };
    }),
  );
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
