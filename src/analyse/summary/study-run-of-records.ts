import type { Environment } from '../../core/model/environment.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { StudyRun } from '../../core/model/study-run.ts';
import { buildTrialTable } from '../comparison/trial-table.ts';
import { summarise } from './summarise.ts';
import { studyRunOf } from '../studies/study-run.ts';

/** What is kept of a run of a study, from its plan and its records. */
export function studyRunOfRecords(
  plan: Plan,
  records: readonly TrialRecord[],
  environment: Environment | null,
): StudyRun {
  const { run, trials, comparisons, firstFlights } = summarise(plan, records, environment, []);
  return studyRunOf(
    { plan, table: buildTrialTable(plan, records), environment, comparisons },
    { run, trials, firstFlights },
  );
}
