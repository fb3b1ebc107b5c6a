import { metricDefinition } from '../../core/metrics/registry.ts';
import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { overheadMetric } from '../comparison/overhead.ts';
import { describeSample } from '../statistics/quantile.ts';
import { counted } from '../figures/figures.ts';

/** How the trials of a run were instrumented, and what that cost each arm: the mean over conditions of recorded ÷ timed medians. */
export function overheadOf(plan: Plan, table: TrialTable): Summary['instrumentationOverhead'] {
  const timedBlocks = blocksThatRan(table.conditions);
  const recordedBlocks = blocksThatRan(table.recorded);
  const cost = plan.arms.flatMap(({ label }) => {
    const ratio = costOf(label, table);
    return ratio === null ? [] : [{ arm: label, ratio }];
  });
  const sentence = sentenceOf({ timedBlocks, recordedBlocks, cost });
  return { timedBlocks, recordedBlocks, cost, sentence };
}

function blocksThatRan(conditions: readonly ConditionTrials[]): number {
  const ran = conditions.flatMap(({ recordsByArm }) =>
    [...recordsByArm.values()].flatMap((ofArm) =>
      [...ofArm].flatMap(([block, { status }]) => (status === 'not-run' ? [] : block)),
    ),
  );
  return new Set(ran).size;
}

function costOf(arm: string, { conditions, recorded }: TrialTable): number | null {
  const logs = recorded.flatMap((instrumented) => {
    if (instrumented.step !== undefined || metricDefinition(overheadMetric[instrumented.kind])?.unit !== 'ms')
      return [];
    const timed = conditions.find(
      ({ condition, step }) =>
        step === undefined && condition.conditionId === instrumented.condition.conditionId,
    );
    const before = timed && medianTime(arm, timed);
    const after = medianTime(arm, instrumented);
    return before && after ? [Math.log(after / before)] : [];
  });
  return logs.length === 0 ? null : Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

function medianTime(arm: string, { kind, recordsByArm }: ConditionTrials): number | null {
  const times = [...(recordsByArm.get(arm)?.values() ?? [])].flatMap((record) =>
    record.status === 'ok' ? (numericMetric(record.metrics, overheadMetric[kind]) ?? []) : [],
  );
  return describeSample(times).median;
}

function sentenceOf({
  timedBlocks,
  recordedBlocks,
  cost,
}: Omit<Summary['instrumentationOverhead'], 'sentence'>): string {
  const judged = `Times come from ${counted(timedBlocks, 'block')} without recording.`;
  if (recordedBlocks === 0) return `${judged} No block was recorded.`;
  const recorded = `${counted(recordedBlocks, 'block')} ${recordedBlocks === 1 ? 'was' : 'were'} recorded as well.`;
  if (cost.length === 0) return `${judged} ${recorded}`;
  const costs = cost.map(({ arm, ratio }) => `${armNameOfLabel(arm)} ${percent(ratio)}`).join(', ');
  return `${judged} ${recorded} Recording changed load times: ${costs}.`;
}

function percent(ratio: number): string {
  const change = Math.round(100 * (ratio - 1));
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${Math.abs(change)} %`;
}
