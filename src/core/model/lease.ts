import type { Plan, PlannedTrial } from './plan.ts';
import type { Shard } from './shard.ts';

/**
 * What one host runs in one go: one block, timed or recorded, of one group of conditions, all workloads and arms of it. Whatever is compared
 * or pooled within a block lies in one lease, so that hosts differ between blocks only, never within one.
 */
export interface Lease {
  /** Such as `b003-g1`: block and group; `e008-g1` of a block that is only recorded. */
  readonly leaseId: string;
  readonly blockIndex: number;
  /** Place of its conditions' client, network and server among those of the plan. */
  readonly group: number;
  readonly trials: readonly PlannedTrial[];
}

/** Every lease of the plan, block by block in the plan's order, as are its trials. */
export function leasesOf({ conditions, trials }: Pick<Plan, 'conditions' | 'trials'>): Lease[] {
  const groupByKey = new Map<string, number>();
  const groupByCondition = new Map<string, number>();
  for (const { conditionId, client, network, server } of conditions) {
    const key = JSON.stringify([client, network, server]);
    const group = groupByKey.get(key) ?? groupByKey.size;
    groupByKey.set(key, group);
    groupByCondition.set(conditionId, group);
  }
  const timedBlocks = new Set(
    trials.flatMap(({ instrumentation, blockIndex }) =>
      instrumentation === 'uninstrumented' ? blockIndex : [],
    ),
  );
  const places = new Map(
    [...new Set(trials.map(({ blockIndex }) => blockIndex))].map((block, at) => [block, at]),
  );
  const leases = new Map<string, Lease & { readonly trials: PlannedTrial[] }>();
  for (const trial of trials) {
    const { blockIndex, conditionId } = trial;
    const group = groupByCondition.get(conditionId) ?? 0;
    const letter = timedBlocks.has(blockIndex) ? 'b' : 'e';
    const leaseId = `${letter}${String(blockIndex).padStart(3, '0')}-g${group}`;
    const lease = leases.get(leaseId) ?? { leaseId, blockIndex, group, trials: [] };
    lease.trials.push(trial);
    leases.set(leaseId, lease);
  }
  const positionOf = ({ blockIndex }: Lease): number => places.get(blockIndex) ?? 0;
  return [...leases.values()].sort((a, b) => positionOf(a) - positionOf(b) || a.group - b.group);
}

/** Leases go round from block to block: after as many blocks as there are shards each has met every condition. */
export function shardOfLease({ blockIndex, group }: Lease, count: number): Shard {
  return { index: ((blockIndex + group) % count) + 1, count };
}

/** The trials of one shard, lease after lease: what is compared is measured in one go. */
export function trialsOfShard(plan: Pick<Plan, 'conditions' | 'trials'>, shard: Shard): PlannedTrial[] {
  return leasesOf(plan)
    .filter((lease) => shardOfLease(lease, shard.count).index === shard.index)
    .flatMap(({ trials }) => trials);
}

/** What this plan's own host has to run: the plan itself, or of a shard its trials and their conditions. */
export function ownPart(plan: Plan): Plan {
  if (plan.shard === undefined) return plan;
  const trials = trialsOfShard(plan, plan.shard);
  const met = new Set(trials.map(({ conditionId }) => conditionId));
  return { ...plan, conditions: plan.conditions.filter(({ conditionId }) => met.has(conditionId)), trials };
}
