import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Condition, Plan } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { WorkloadKind } from '../../model/workload.ts';
import { armPairs, type ArmPair } from '../comparison/arm-pairs.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { attribute, type AttributeOptions, type StagePair } from './attribute.ts';
import { lateChunks } from './late-chunks.ts';
import { limitShares } from './limit-shares.ts';
import { nameCauses } from './name-causes.ts';
import { networkingCpu } from './networking-cpu.ts';
import type { RecordPair } from './paired-change.ts';

/** The metric that the stages of a workload add up to. */
const dividedMetric: Partial<Record<WorkloadKind, string>> = {
  page: 'pltMs',
  download: 'totalRequestTimeMs',
  /** Start-up and stalls together. */
  video: 'viewerWaitMs',
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
  const blocks = [...recordPairs(trials, pair).values()].map((records) => [records]);
  const found = explained(blocks, { level, leastBlocks });
  if (metric === undefined || found === null) return [];
  const late = [pair.baseline.label, pair.candidate.label].flatMap((arm) =>
    lateChunks(arm, validRecords(trials, arm)),
  );
  const what = { workload: condition.workload, ...about(condition, pair), metric, ...found };
  return [late.length === 0 ? what : { ...what, lateChunks: late }];
}

function validRecords({ recordsByArm }: ConditionTrials, arm: string): TrialRecord[] {
  return [...(recordsByArm.get(arm)?.values() ?? [])].filter(({ status }) => status === 'ok');
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
    const cells = group.map((trials) => recordPairs(trials, pair));
    const blocks = first.blocks
      .filter((block) => cells.every((cell) => cell.has(block)))
      .map((block) => cells.flatMap((cell) => cell.get(block) ?? []));
    const found = explained(blocks, { level, leastBlocks: leastPooledBlocks });
    const metric = dividedMetric.page ?? '';
    return found === null
      ? []
      : [{ workload: pooledWorkload, ...about(first.condition, pair), metric, ...found }];
  });
}

/** Parts of the difference and what they come from; a block holds a pair of each workload. */
function explained(
  blocks: readonly (readonly RecordPair[])[],
  options: AttributeOptions,
): Omit<Diagnosis, 'workload' | 'metric'> | null {
  const found = attribute(
    blocks.map((pairs) => meanPair(pairs.map(stagesOfPair))),
    options,
  );
  if (found === null) return null;
  const causes = nameCauses(found.differenceMs, blocks, options.level);
  const spent = networkingCpu(blocks, options.level);
  const limits = limitShares(blocks, options.level);
  return {
    ...found,
    ...(causes.length === 0 ? {} : { causes }),
    ...(limits.length === 0 ? {} : { limits }),
    ...(spent.length === 0 ? {} : { networkingCpu: spent }),
  };
}

function about(
  { client, network, server }: ConditionTrials['condition'],
  { baseline, candidate }: ArmPair,
): Pick<Diagnosis, 'client' | 'network' | 'server' | 'baselineArm' | 'candidateArm'> {
  return { client, network, server, baselineArm: baseline.label, candidateArm: candidate.label };
}

/** By block, where both arms have a valid trial that says what its time was spent on. */
function recordPairs({ blocks, recordsByArm }: ConditionTrials, pair: ArmPair): Map<number, RecordPair> {
  const recordIn = (arm: string, block: number): TrialRecord | undefined => {
    const record = recordsByArm.get(arm)?.get(block);
    return record?.status === 'ok' && record.metrics.stagesMs !== undefined ? record : undefined;
  };
  return new Map(
    blocks.flatMap((block) => {
      const baseline = recordIn(pair.baseline.label, block);
      const candidate = recordIn(pair.candidate.label, block);
      return baseline && candidate ? [[block, { baseline, candidate }] as const] : [];
    }),
  );
}

function stagesOfPair({ baseline, candidate }: RecordPair): StagePair {
  return { baseline: baseline.metrics.stagesMs ?? {}, candidate: candidate.metrics.stagesMs ?? {} };
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
