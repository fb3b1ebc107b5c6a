import type { AppContext } from '../app-context.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import type { RunConditions } from '../run/run-conditions.ts';
import { resume } from '../run/run.ts';
import { writeReports, writeSummary } from '../report/publish.ts';
import { openDiagnosisRun } from '../explain/plan-diagnosis.ts';

/**
 * Records in recorded blocks, with every probe for diagnosis, what a run found, in a folder within the run's own; summary and reports of the run then say what came out. Goes on where an earlier call was interrupted.
 *
 * @throws H2h3Error as `run`
 */
export async function carryOutDiagnosis(
  directory: RunDirectory,
  summary: Summary,
  conditions: RunConditions,
  context: AppContext,
): Promise<Summary> {
  const folder = openDiagnosisRun(directory);
  if (folder === null) {
    context.progress.say(
      'no difference of a page, a video or a download lies beyond chance: nothing is measured again',
    );
    return summary;
  }
  await resume(folder, conditions, context);
  const explained = writeSummary(directory);
  await writeReports(directory, explained, (line) => context.progress.say(line));
  return explained;
}
