import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Condition, Plan } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { WorkloadKind } from '../../model/workload.ts';
import { armPairs, type ArmPair } from '../comparison/arm-pairs.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { attribute, type StagePair } from './attribute.ts';

/** The metric that the stages of a workload add up to. */
const dividedMetric: Partial<Record<WorkloadKind, string>> = {
  page: 'pltMs',
  download: 'totalRequestTimeMs',
};

/** As for intervals elsewhere: single workloads need six blocks, means over several four. */
const leastBlocks = 6;
const leastPooledBlocks = 4;

/** The conditions of a run that a diagnosis is about: one, or all pages that its mean is made of. */
export function diagnosedConditions<T extends { readonly condition: Condition; readonly kind: WorkloadKind }>(
  { conditions }: { readonly conditions: readonly T[] },
  { workload, client, network, server }: Diagnosis,
): T[] {
  return conditions.filter(
    ({ condition, kind }) =>
      (workload === pooledWorkload ? kind === 'page' : condition.workload === workload) &&
      condition.client === client &&
      condition.network === network &&
      condition.server === server,
  );
}

/**
 * Where the difference of each pair of arms comes from, in each condition and over all pages of a network. Only valid
 * trials count, and only blocks in which both arms have one. Pure.
 */
export function diagnose(plan: Plan, { conditions }: TrialTable, level: number): Diagnosis[] {
  return armPairs(plan)
    .filter(({ identical }) => !identical)
    .flatMap((pair) => [
      ...pooled(conditions, pair, level),
      ...conditions.flatMap((trials) => single(trials, pair, level)),
    ]);
}

function single(trials: ConditionTrials, pair: ArmPair, level: number): Diagnosis[] {
  const { condition, kind } = trials;
  const metric = dividedMetric[kind];
  const found = attribute([...stagePairs(trials, pair).values()], { level, leastBlocks });
  return metric === undefined || found === null
    ? []
    : [{ workload: condition.workload, ...about(condition, pair), metric, ...found }];
}

/** Means over the pages of one network, client and server, block by block. */
function pooled(conditions: readonly ConditionTrials[], pair: ArmPair, level: number): Diagnosis[] {
  const pages = conditions.filter(({ kind }) => kind === 'page');
  const groups = Map.groupBy(pages, ({ condition: { client, network, server } }) =>
    JSON.stringify([client, network, server]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < 2) return [];
    const cells = group.map((trials) => stagePairs(trials, pair));
    const blocks = first.blocks.filter((block) => cells.every((cell) => cell.has(block)));
    const pairs = blocks.map((block) => meanPair(cells.flatMap((cell) => cell.get(block) ?? [])));
    const found = attribute(pairs, { level, leastBlocks: leastPooledBlocks });
    const metric = dividedMetric.page ?? '';
    return found === null
      ? []
      : [{ workload: pooledWorkload, ...about(first.condition, pair), metric, ...found }];
  });
}

function about(
  { client, network, server }: ConditionTrials['condition'],
  { baseline, candidate }: ArmPair,
): Pick<Diagnosis, 'client' | 'network' | 'server' | 'baselineArm' | 'candidateArm'> {
  return { client, network, server, baselineArm: baseline.label, candidateArm: candidate.label };
}

function stagePairs({ blocks, recordsByArm }: ConditionTrials, pair: ArmPair): Map<number, StagePair> {
  const stagesIn = (arm: string, block: number): Readonly<Record<string, number>> | undefined =>
    stagesOfRecord(recordsByArm.get(arm)?.get(block));
  return new Map(
    blocks.flatMap((block) => {
      const baseline = stagesIn(pair.baseline.label, block);
      const candidate = stagesIn(pair.candidate.label, block);
      return baseline && candidate ? [[block, { baseline, candidate }] as const] : [];
    }),
  );
}

function stagesOfRecord(record: TrialRecord | undefined): Readonly<Record<string, number>> | undefined {
  return record?.status === 'ok' ? record.metrics.stagesMs : undefined;
}

function meanPair(pairs: readonly StagePair[]): StagePair {
  const mean = (side: keyof StagePair): Record<string, number> => {
    const sums: Record<string, number> = {};
    for (const pair of pairs)
      for (const [name, ms] of Object.entries(pair[side])) sums[name] = (sums[name] ?? 0) + ms / pairs.length;
    return sums;
  };
  return { baseline: mean('baseline'), candidate: mean('candidate') };
}
