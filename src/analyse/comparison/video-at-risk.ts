import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { ConditionTrials, TrialTable } from './trial-table.ts';

/** Whether a session stalled or still changed its track in its second half, when start-up is over; undefined where its chunks are unknown. */
function wasAtRisk({ metrics }: TrialRecord): boolean | undefined {
  const { chunks, stallCount } = metrics;
  if (chunks === undefined || chunks.length < 2 || typeof stallCount !== 'number') return undefined;
  const settled = chunks.slice(Math.floor(chunks.length / 2));
  return stallCount > 0 || new Set(settled.map(({ representation }) => representation)).size > 1;
}

function isWithoutRisk({ kind, recordsByArm }: ConditionTrials, baseline: string | undefined): boolean {
  if (kind !== 'video' || baseline === undefined) return false;
  const sessions = [...(recordsByArm.get(baseline)?.values() ?? [])].filter(({ status }) => status === 'ok');
  return sessions.length > 0 && sessions.every((record) => wasAtRisk(record) === false);
}

/**
 * Conditions that could hardly have shown a difference: no session of the baseline stalled, and each kept its track once it had settled.
 * A sentence each.
 */
export function nothingAtRisk(plan: Plan, { conditions }: Pick<TrialTable, 'conditions'>): string[] {
  return conditions
    .filter((trials) => isWithoutRisk(trials, plan.arms[0]?.label))
    .map(
      ({ condition: { workload, network } }) =>
        `nothing was at risk in ${workload} over ${network}: no session of the baseline stalled or changed its track in its second half. ` +
        'Over a slower network or with a higher ladder the protocols may differ',
    );
}
