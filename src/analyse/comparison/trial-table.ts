import { instrumentationOf, type Metric } from '../../core/metrics/metric.ts';
import { measuredValue, numericMetric } from '../../core/model/metrics.ts';
import type { Arm, Condition, Plan, PlannedTrial } from '../../core/model/plan.ts';
import { hasReason } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { megabitsPerSecond } from '../../core/model/units.ts';
import type { Instrumentation } from '../../core/model/instrumentation.ts';
import { stepWorkload } from '../../core/model/step-workload.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { dropUnbalancedRetries } from './unbalanced-retries.ts';

/** One condition of the plan with what its trials of one kind left, by arm and block. */
export interface ConditionTrials {
  readonly instrumentation: Instrumentation;
  readonly condition: Condition;
  readonly kind: WorkloadKind;
  /** Planned block indices, ascending. */
  readonly blocks: readonly number[];
  readonly recordsByArm: ReadonlyMap<string, ReadonlyMap<number, TrialRecord>>;
  /** Set where this is one step of a journey: its name. */
  readonly step?: string;
  /** In a pool over an audience: its share of the page views, and what it is called there. Absent: it counts as all others. */
  readonly ofAudience?: { readonly weight: number; readonly site: string };
}

export interface TrialTable {
  /** Timed trials, from which times are judged. */
  readonly conditions: readonly ConditionTrials[];
  /** The same conditions with their recorded trials. */
  readonly recorded: readonly ConditionTrials[];
  /** Planned trials in the plan's order, each with its record if it left one. */
  readonly trials: readonly { readonly planned: PlannedTrial; readonly record: TrialRecord | undefined }[];
  /** Records that the plan does not name, repeated ones, and trials that were run again unlike often: left out, and said so. */
  readonly warnings: readonly string[];
}

/** Brings the journal's records into the plan's order; the first record of a trial counts. */
export function buildTrialTable(plan: Plan, records: readonly TrialRecord[]): TrialTable {
  const { recordById, repeated, warnings } = firstRecords(plan, records);
  const kindById = new Map(plan.workloads.map((workload) => [workload.id, workload.kind]));
  const trials = plan.trials.map((planned) => {
    const record = recordById.get(planned.trialId);
    recordById.delete(planned.trialId);
    return { planned, record };
  });
  const of = (instrumentation: Instrumentation): ConditionTrials[] => {
    const ofCondition = Map.groupBy(
      trials.filter(({ planned }) => planned.instrumentation === instrumentation),
      ({ planned }) => planned.conditionId,
    );
    return plan.conditions.flatMap((condition) => {
      const kind = kindById.get(condition.workload);
      if (kind === undefined) return [];
      const whole = {
        instrumentation,
        condition,
        kind,
        ...byArm(ofCondition.get(condition.conditionId) ?? []),
      };
      return [whole, ...stepConditions(whole)];
    });
  };
  const conditions = of('uninstrumented');
  const recorded = of('instrumented');
  return {
    conditions,
    recorded,
    trials,
    warnings: [...warnings, ...strayWarnings([...recordById.keys()], repeated)],
  };
}

function byArm(trials: TrialTable['trials']): Pick<ConditionTrials, 'blocks' | 'recordsByArm'> {
  const blocks = new Set(trials.map(({ planned }) => planned.blockIndex));
  const recordsByArm = new Map<string, Map<number, TrialRecord>>();
  for (const { planned, record } of trials) {
    if (record === undefined) continue;
    const ofArm = recordsByArm.get(planned.arm) ?? new Map<number, TrialRecord>();
    recordsByArm.set(planned.arm, ofArm.set(planned.blockIndex, record));
  }
  return { blocks: [...blocks].sort((a, b) => a - b), recordsByArm };
}

/** The conditions with the trials from which a metric comes. */
export function conditionsWith(
  metric: Metric,
  { conditions, recorded }: Pick<TrialTable, 'conditions' | 'recorded'>,
): readonly ConditionTrials[] {
  return instrumentationOf(metric) === 'uninstrumented' ? conditions : recorded;
}

/** Those of `trials` that are of the same conditions as a group. */
export function trialsLike(
  group: readonly ConditionTrials[],
  trials: readonly ConditionTrials[],
): ConditionTrials[] {
  return group.flatMap(({ condition, step }) =>
    trials.filter((trial) => trial.condition.conditionId === condition.conditionId && trial.step === step),
  );
}

/** Records in the order in which their trials ran, which is the plan's: that of the journal may be another. */
export function recordsInOrder({ trials }: TrialTable): TrialRecord[] {
  return trials.flatMap(({ record }) => record ?? []);
}

/** Planned trials of which the journal says nothing. */
export function missingTrials({ trials }: TrialTable): number {
  return trials.filter(({ record }) => record === undefined).length;
}

/** Arms of which no trial is valid. */
export function armsWithoutTrials({ arms }: Pick<Plan, 'arms'>, { trials }: TrialTable): Arm[] {
  return arms.filter(
    ({ label }) => !trials.some(({ planned, record }) => planned.arm === label && record?.status === 'ok'),
  );
}

/** Every step of a journey as a condition of its own, in the order in which they were done. */
function stepConditions(whole: ConditionTrials): ConditionTrials[] {
  const records = [...whole.recordsByArm.values()].flatMap((ofArm) => [...ofArm.values()]);
  const names = new Set(records.flatMap(({ steps = [] }) => steps.map(({ name }) => name)));
  return [...names].map((step) => ({
    ...whole,
    step,
    condition: { ...whole.condition, workload: stepWorkload(whole.condition.workload, step) },
    recordsByArm: new Map(
      [...whole.recordsByArm].map(([arm, ofArm]) => [
        arm,
        new Map([...ofArm].map(([block, record]) => [block, recordOfStep(record, step)])),
      ]),
    ),
  }));
}

function recordOfStep(record: TrialRecord, name: string): TrialRecord {
  const { steps = [], ...rest } = record;
  const metrics = steps.find((each) => each.name === name)?.metrics ?? {};
  return { ...rest, workload: stepWorkload(record.workload, name), metrics };
}

/** The first record of each trial; one that came of a second try only where arms had those alike. */
function firstRecords(
  plan: Plan,
  journalled: readonly TrialRecord[],
): {
  recordById: Map<string, TrialRecord>;
  repeated: readonly string[];
  warnings: readonly string[];
} {
  const { records, warnings } = dropUnbalancedRetries(plan, journalled);
  const recordById = new Map<string, TrialRecord>();
  const repeated: string[] = [];
  for (const record of records) {
    if (recordById.has(record.trialId)) repeated.push(record.trialId);
    else recordById.set(record.trialId, record);
  }
  return { recordById, repeated, warnings };
}

function strayWarnings(unplanned: readonly string[], repeated: readonly string[]): string[] {
  const warnings: string[] = [];
  const name = (ids: readonly string[]): string => ids.slice(0, 3).join(', ') + (ids.length > 3 ? ', …' : '');
  if (unplanned.length > 0) {
    warnings.push(
      `${unplanned.length} records belong to no planned trial and are left out: ${name(unplanned)}`,
    );
  }
  if (repeated.length > 0) {
    warnings.push(
      `${repeated.length} trials are journalled twice. The first record counts: ${name(repeated)}`,
    );
  }
  return warnings;
}

/** The host that ran each block of these conditions, which lie in one lease; arms that others ran do not count. */
export function hostsByBlock(group: readonly ConditionTrials[], arms: readonly Arm[]): Map<number, string> {
  const hosts = new Map<number, string>();
  for (const { recordsByArm } of group)
    for (const { label } of arms)
      for (const [block, { host, status }] of recordsByArm.get(label) ?? [])
        if (host !== undefined && status !== 'not-run') hosts.set(block, host);
  return hosts;
}

/** Whether a trial ended at its deadline, which still says something about the arm. */
export function reachedDeadline(record: TrialRecord): boolean {
  return record.status === 'failed' && hasReason(record, 'deadline');
}

/**
 * The value with which a trial enters comparisons: of ok trials what was measured; of trials that reached
 * their deadline the deadline for times and bytes so far over the deadline for rates (both journalled as
 * `deadlineMs` and `bytesSoFar`); otherwise none.
 */
export function usableValue(record: TrialRecord | undefined, definition: Metric): number | undefined {
  if (record === undefined) return undefined;
  if (record.status === 'ok') return numericMetric(record.metrics, definition.name);
  if (!reachedDeadline(record) || definition.onDeadline === 'missing') return undefined;
  const deadlineMs = numericMetric(record.metrics, 'deadlineMs');
  if (definition.onDeadline === 'time' || deadlineMs === undefined) return deadlineMs;
  const bytesSoFar = numericMetric(record.metrics, 'bytesSoFar');
  if (bytesSoFar === undefined || deadlineMs <= 0) return undefined;
  return measuredValue(megabitsPerSecond(bytesSoFar, deadlineMs));
}
