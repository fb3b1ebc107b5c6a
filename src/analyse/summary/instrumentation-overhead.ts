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
export function overheadOf(plan: Plan, table: TrialTable): Summary['watching'] {
  const bareBlocks = blocksThatRan(table.conditions);
  const evidenceBlocks = blocksThatRan(table.evidence);
  const cost = plan.arms.flatMap(({ label }) => {
    const ratio = costOf(label, table);
    return ratio === null ? [] : [{ arm: label, ratio }];
  });
  const sentence = sentenceOf({ bareBlocks, evidenceBlocks, cost });
  return { bareBlocks, evidenceBlocks, cost, sentence };
}

function blocksThatRan(conditions: readonly ConditionTrials[]): number {
  const ran = conditions.flatMap(({ recordsByArm }) =>
    [...recordsByArm.values()].flatMap((ofArm) =>
      [...ofArm].flatMap(([block, { status }]) => (status === 'not-run' ? [] : block)),
    ),
  );
  return new Set(ran).size;
}

function costOf(arm: string, { conditions, evidence }: TrialTable): number | null {
  const logs = evidence.flatMap((instrumented) => {
    if (instrumented.step !== undefined || metricDefinition(overheadMetric[instrumented.kind])?.unit !== 'ms')
      return [];
    const bare = conditions.find(
      ({ condition, step }) =>
        step === undefined && condition.conditionId === instrumented.condition.conditionId,
    );
    const before = bare && medianTime(arm, bare);
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

function sentenceOf({ bareBlocks, evidenceBlocks, cost }: Omit<Summary['watching'], 'sentence'>): string {
  const judged = `Times come from ${counted(bareBlocks, 'block')} without recording.`;
  if (evidenceBlocks === 0) return `${judged} No block was recorded.`;
  const recorded = `${counted(evidenceBlocks, 'block')} ${evidenceBlocks === 1 ? 'was' : 'were'} recorded as well.`;
  if (cost.length === 0) return `${judged} ${recorded}`;
  const costs = cost.map(({ arm, ratio }) => `${armNameOfLabel(arm)} ${percent(ratio)}`).join(', ');
  return `${judged} ${recorded} Recording changed load times: ${costs}.`;
}

function percent(ratio: number): string {
  const change = Math.round(100 * (ratio - 1));
  return `${change > 0 ? '+' : change < 0 ? '−' : ''}${Math.abs(change)} %`;
}
