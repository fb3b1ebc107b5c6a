import type { Diagnosis } from '../../core/model/diagnosis.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Arm, Condition, Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { armPairs, type ArmPair } from '../comparison/arm-pairs.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import { trialsLike, type ConditionTrials, type TrialTable } from '../comparison/trial-table.ts';
import { meanOfKnown } from '../../core/metrics/evidence/numbers.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { attribute, isDecided, type AttributeOptions, type StagePair } from './attribute.ts';
import { lateChunks } from './late-chunks.ts';
import { limitShares } from './limit-shares.ts';
import { nameCauses } from './name-causes.ts';
import { networkingCpu } from './networking-cpu.ts';
import type { RecordPair } from './paired-change.ts';

/** The time that the stages of a workload add up to, and how timed trials have it. */
const dividedTimes: Partial<
  Record<WorkloadKind, { readonly metric: string; readonly of: readonly string[] }>
> = {
  page: { metric: 'pltMs', of: ['pltMs'] },
  download: { metric: 'totalRequestTimeMs', of: ['totalRequestTimeMs'] },
  upload: { metric: 'uploadMs', of: ['uploadMs'] },
  messages: { metric: 'messageMeanMs', of: ['messageMeanMs'] },
  /** Start-up and stalls together. */
  video: { metric: 'viewerWaitMs', of: ['startupDelayMs', 'stallTotalMs'] },
};

/** What that time is called, lower case; undefined where it is not divided. */
export function dividedTimeTitle(kind: WorkloadKind): string | undefined {
  const metric = dividedTimes[kind]?.metric;
  if (metric === undefined) return undefined;
  return metricDefinition(metric)?.title ?? 'start-up and stalls';
}

/** As for all intervals: single workloads need six blocks, means over several four. */
const minBlocks = 6;
const minPooledBlocks = 4;

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
 * Where the difference of each pair of arms comes from, in each condition and over all pages of a network. Stages are known
 * from recorded trials alone, so parts explain the difference of these, and only where timed trials have one of the same
 * sign, both beyond chance. Only valid trials count, and only blocks in which both arms have one. Pure.
 */
export function diagnose(plan: Plan, table: TrialTable, level: number): Diagnosis[] {
  return comparedPairs(plan).flatMap((pair) => [
    ...pooled(table, pair, level),
    ...table.recorded.flatMap((trials) => single(trials, table.conditions, pair, level)),
  ]);
}

/** A difference of timed trials beyond chance, of one workload and a pair of arms. */
export type FoundDifference = Pick<
  Diagnosis,
  'workload' | 'client' | 'network' | 'server' | 'baselineArm' | 'candidateArm' | 'metric' | 'timed'
>;

/** The differences that recorded blocks could explain: of single workloads, because means over pages are made of these. */
export function foundDifferences(plan: Plan, { conditions }: TrialTable, level: number): FoundDifference[] {
  return comparedPairs(plan).flatMap((pair) =>
    conditions.flatMap((trials) => {
      const timed = uninstrumentedDifference([trials], pair, { level, minBlocks });
      const metric = dividedTimes[trials.kind]?.metric;
      if (timed === null || metric === undefined || trials.step !== undefined) return [];
      return { workload: trials.condition.workload, ...about(trials.condition, pair), metric, timed };
    }),
  );
}

function comparedPairs(plan: Plan): ArmPair[] {
  return armPairs(plan).filter(({ identical }) => !identical);
}

/**
 * The time of a valid trial that the stages of its workload add up to, ms: of a video start-up and stalls together. Null where
 * one of them is not known.
 */
export function dividedTimeMs(kind: WorkloadKind, record: TrialRecord | undefined): number | null {
  const names = dividedTimes[kind]?.of;
  if (names === undefined || record?.status !== 'ok') return null;
  const times = names.flatMap((name) => numericMetric(record.metrics, name) ?? []);
  return times.length < names.length ? null : times.reduce((sum, ms) => sum + ms, 0);
}

/** The difference of timed trials, as a mean over these workloads block by block; null where chance alone may have made it. */
function uninstrumentedDifference(
  group: readonly ConditionTrials[],
  pair: ArmPair,
  { level, minBlocks: least }: AttributeOptions,
): Diagnosis['timed'] | null {
  const [first] = group;
  if (first === undefined) return null;
  const timeIn = ({ kind, recordsByArm }: ConditionTrials, { label }: Arm, block: number): number | null =>
    dividedTimeMs(kind, recordsByArm.get(label)?.get(block));
  const differences = first.blocks.flatMap((block) => {
    const changes = group.flatMap((trials) => {
      const before = timeIn(trials, pair.baseline, block);
      const after = timeIn(trials, pair.candidate, block);
      return before === null || after === null ? [] : [after - before];
    });
    return changes.length < group.length ? [] : [meanOfKnown(changes) ?? 0];
  });
  if (differences.length < least) return null;
  const found = meanInterval(differences, level);
  const interval = found?.interval ?? null;
  if (found === null || interval === null || !isDecided(interval)) return null;
  return { differenceMs: found.mean, interval: [...interval], blocks: differences.length };
}

function single(
  trials: ConditionTrials,
  uninstrumentedConditions: readonly ConditionTrials[],
  pair: ArmPair,
  level: number,
): Diagnosis[] {
  const { condition, kind } = trials;
  const metric = dividedTimes[kind]?.metric;
  const timed = uninstrumentedDifference(trialsLike([trials], uninstrumentedConditions), pair, {
    level,
    minBlocks,
  });
  const blocks = [...recordPairs(trials, pair).values()].map((records) => [records]);
  const found = explained(blocks, timed, { level, minBlocks });
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
function pooled({ conditions, recorded }: TrialTable, pair: ArmPair, level: number): Diagnosis[] {
  const pages = recorded.filter(({ kind }) => kind === 'page');
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
    const options = { level, minBlocks: minPooledBlocks };
    const found = explained(
      blocks,
      uninstrumentedDifference(trialsLike(group, conditions), pair, options),
      options,
    );
    const metric = dividedTimes.page?.metric ?? '';
    return found === null
      ? []
      : [{ workload: pooledWorkload, ...about(first.condition, pair), metric, ...found }];
  });
}

type ArmCondition = Pick<Diagnosis, 'client' | 'network' | 'server' | 'baselineArm' | 'candidateArm'>;

/** Parts of the difference and what they come from; a block holds a pair of each workload. */
function explained(
  blocks: readonly (readonly RecordPair[])[],
  timed: Diagnosis['timed'] | null,
  options: AttributeOptions,
): Omit<Diagnosis, 'workload' | 'metric' | keyof ArmCondition> | null {
  if (timed === null) return null;
  const found = attribute(
    blocks.map((pairs) => meanPair(pairs.map(stagesOfPair))),
    options,
  );
  // A difference that recording turned round, or made alone, is not that which is to be explained.
  if (found === null || Math.sign(found.differenceMs) !== Math.sign(timed.differenceMs)) return null;
  const causes = nameCauses(found.differenceMs, blocks, options.level);
  const spent = networkingCpu(blocks, options.level);
  const limits = limitShares(blocks, options.level);
  return {
    ...found,
    timed,
    ...(causes.length === 0 ? {} : { causes }),
    ...(limits.length === 0 ? {} : { limits }),
    ...(spent.length === 0 ? {} : { networkingCpu: spent }),
  };
}

function about(
  { client, network, server }: ConditionTrials['condition'],
  { baseline, candidate }: ArmPair,
): ArmCondition {
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
