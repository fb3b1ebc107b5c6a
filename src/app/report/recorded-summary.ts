import { summarise } from '../../analyse/summary/summarise.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';

/** What the records of a run directory say; nothing is written. `known`: they, where more is known of them than the journal says. */
export function summaryOf(directory: RunDirectory, known?: readonly TrialRecord[]): Summary {
  const { records, warnings } = directory.journal();
  return summarise(directory.plan, known ?? records, directory.environment(), warnings);
}
