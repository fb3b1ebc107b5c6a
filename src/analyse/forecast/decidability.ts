import { instrumentationOf } from '../../core/metrics/metric.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TestName } from '../../core/model/summary.ts';
import type { Instrumentation } from '../../core/model/instrumentation.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { comparisonRules, defaultAlpha, poolKey, segmentOf } from '../comparison/comparison-rules.ts';
import { effectiveSites, poolTest } from '../comparison/pooled-drafts.ts';
import { interimBlocks, sequentialBlocks } from '../comparison/interim-levels.ts';
import { minimumBlocks, smallestAdjustedPValue } from '../statistics/attainable-p.ts';
import { locationTests } from '../statistics/location-test.ts';

export interface Decidability {
  /** m · 2^(1−n): what the surest of m comparisons can reach under Holm; 0 for the t test, which has no smallest p. */
  readonly smallestAdjustedPValue: number;
  /** Fewest blocks with which any verdict but `inconclusive` can come out. */
  readonly minBlocks: number;
  readonly canDecide: boolean;
}

/** Whether `comparisons` in one primary family can be decided with `blocks` blocks at all. */
export function decidability(
  comparisons: number,
  blocks: number,
  test: TestName = 'signed-rank',
): Decidability {
  const smallest = test === 't' ? 0 : smallestAdjustedPValue(comparisons, blocks);
  const minBlocks = test === 't' ? locationTests.t.minValues : minimumBlocks(comparisons, defaultAlpha);
  return { smallestAdjustedPValue: smallest, minBlocks, canDecide: blocks >= minBlocks };
}

export interface PrimaryFamily extends Decidability {
  /** Blocks from which it is judged: timed ones, or of a metric that these do not give recorded blocks. */
  readonly blocks: number;
  readonly instrumentation: Instrumentation;
  readonly kind: WorkloadKind;
  readonly metric: string;
  /** Size of the family: arm pairs × conditions, or × pools where the kind is pooled. */
  readonly comparisons: number;
  /** Whether the workloads are pooled, and which test their comparison goes through. */
  readonly pooled: boolean;
  readonly test: TestName;
  /** As how many equal sites the smallest of its pools is as sure; one where nothing is pooled. */
  readonly effectiveSites: number;
}

/** What one primary comparison of a pair of arms runs over. */
interface Unit {
  /** What each of its conditions counts for. */
  readonly weights: readonly number[];
  readonly pooled: boolean;
}

/** The primary family of each kind of workload, as `summarise` will build it; none for a single arm. */
export function primaryFamilies(plan: Plan): PrimaryFamily[] {
  const pairs = armPairs(plan).filter((pair) => pair.primary).length;
  if (pairs === 0) return [];
  const rules = comparisonRules(plan);
  const kindById = new Map(plan.workloads.map((workload) => [workload.id, workload.kind]));
  const unitsByKind = new Map<WorkloadKind, Map<string, Unit>>();
  for (const condition of plan.conditions) {
    const kind = kindById.get(condition.workload);
    if (kind === undefined) continue;
    const units = unitsByKind.get(kind) ?? new Map<string, Unit>();
    const pooled = rules.isPooled(kind, condition);
    const unit = pooled ? poolKey(kind, condition, plan.audience) : condition.conditionId;
    const weight = segmentOf(plan.audience, condition)?.share ?? 1;
    units.set(unit, { weights: [...(units.get(unit)?.weights ?? []), weight], pooled });
    unitsByKind.set(kind, units);
  }
  return [...unitsByKind].map(([kind, units]) => {
    const comparisons = units.size * pairs;
    const all = [...units.values()];
    // A family is as slow as its slowest test.
    const sites = Math.min(...all.map(({ weights }) => effectiveSites(weights)));
    const test = poolTest(sites).name;
    const metric = rules.primaryMetric(kind);
    const instrumentation = instrumentationOf(metricDefinition(metric) ?? {});
    const blocks = instrumentation === 'uninstrumented' ? plan.repetitions : instrumentedBlocksOf(plan);
    return {
      kind,
      metric,
      blocks,
      instrumentation,
      comparisons,
      pooled: all.some(({ pooled }) => pooled),
      test,
      effectiveSites: sites,
      ...decidability(comparisons, blocks, test),
    };
  });
}

/** Blocks of a plan that are recorded. */
export function instrumentedBlocksOf({
  recordedBlocks,
  repetitions,
}: Pick<Plan, 'recordedBlocks' | 'repetitions'>): number {
  return recordedBlocks === 'all' ? repetitions : recordedBlocks;
}

/** Blocks after which a sequential run of this plan is judged: those of the family that can be decided first. */
export function plannedInterims(plan: Plan, blocks: number = sequentialBlocks): number[] {
  const interims = primaryFamilies(plan).map(({ test, comparisons }) =>
    interimBlocks(test, comparisons, defaultAlpha, blocks),
  );
  return interims.reduce(
    (first, other) => ((other[0] ?? 0) < (first[0] ?? 0) ? other : first),
    interims[0] ?? [blocks],
  );
}
