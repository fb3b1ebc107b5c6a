import { exitCodes, type ExitCode } from '../../core/model/exit-codes.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';

/** Share of the trials that ran above which a run counts as failed. */
const failedShareLimit = 0.2;

/** 4 when more than 20 % of the trials that ran are invalid or failed, or an arm of a condition has none that is ok. */
export function exitCodeOfRun(plan: Plan, records: readonly TrialRecord[]): ExitCode {
  const run = records.filter(({ status }) => status !== 'not-run' && status !== 'unsupported');
  const bad = run.filter(({ status }) => status !== 'ok');
  if (bad.length > run.length * failedShareLimit) return exitCodes.trialsFailed;
  const statusByTrial = new Map(records.map((record) => [record.trialId, record.status]));
  const okByArm = new Map<string, boolean>();
  for (const trial of plan.trials) {
    const key = `${trial.conditionId}\u0000${trial.arm}`;
    okByArm.set(key, okByArm.get(key) === true || statusByTrial.get(trial.trialId) === 'ok');
  }
  return [...okByArm.values()].every(Boolean) ? exitCodes.ok : exitCodes.trialsFailed;
}
