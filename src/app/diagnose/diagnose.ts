import { stagesOf } from '../../analyse/derive/stages.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { TrialMetrics } from '../../core/model/metrics.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import { readEvidence } from '../../store/evidence.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { equalFirstFlight } from '../../analyse/diagnosis/interventions.ts';
import { proposedExperiments } from '../explain/propose.ts';
import { carryOutDiagnosis } from './carry-out.ts';
import { confirmDiagnosis, proposalLines } from './confirm.ts';
import { requireRecords, writeReports, writeSummary } from '../report/publish.ts';

export interface DiagnoseOptions {
  /** Measure again with every probe for diagnosis what the run itself cannot explain. Default: no. */
  readonly measure?: boolean | undefined;
  /** Carry out experiments that could confirm a cause: those named, or every one that is proposed. Default: none. */
  readonly confirm?: readonly string[] | 'all' | undefined;
}

export interface Diagnosed {
  /** With `diagnosis`: where the differences come from. */
  readonly summary: Summary;
  readonly reportPath: string;
  /** Experiments that could still be made, a line each, with their time and command. */
  readonly proposals: readonly string[];
}

/**
 * Finds where the differences of a run come from and writes summary and reports anew. What the journal of an earlier
 * version does not say is derived from the trials' artifacts.
 *
 * @throws H2h3Error `bad-input` for a folder without a readable run
 */
export async function diagnoseRun(
  path: string,
  { measure = false, confirm }: DiagnoseOptions,
  context: AppContext,
): Promise<Diagnosed> {
  const directory = openRunDirectory(path);
  requireRecords(directory);
  const { records } = directory.journal();
  const known = records.map((record, index) => {
    context.progress.show(`reading ${index + 1}/${records.length}`);
    return withStages(directory, record, (line) => context.progress.say(line));
  });
  context.progress.clear();
  const plain = writeSummary(directory, { records: known });
  const measured = measure ? await carryOutDiagnosis(directory, plain, {}, context) : plain;
  const asked =
    confirm ?? (measure && mayBeFirstFlight(directory, measured) ? [equalFirstFlight] : undefined);
  const summary =
    asked === undefined ? measured : await confirmDiagnosis(directory, measured, asked, context);
  return {
    summary,
    proposals: proposalLines(directory, summary),
    reportPath: await writeReports(directory, summary, (line) => context.progress.say(line)),
  };
}

/** Whether a larger first flight may be behind a difference: how much of it that is belongs to any explanation. */
function mayBeFirstFlight(directory: RunDirectory, summary: Summary): boolean {
  return proposedExperiments(directory, summary).some(
    ({ intervention }) => intervention.id === equalFirstFlight,
  );
}

function withStages(
  directory: RunDirectory,
  record: TrialRecord,
  complain: (line: string) => void,
): TrialRecord {
  const { status, metrics, artifacts, trialId } = record;
  if (status !== 'ok' || metrics.stagesMs !== undefined || artifacts['raw'] === undefined) return record;
  try {
    const stagesMs = stagesOf(readEvidence(directory.trialDir(trialId)));
    return stagesMs === undefined ? record : { ...record, metrics: withStructure(metrics, stagesMs) };
  } catch (thrown) {
    complain(`${trialId}: its artifacts cannot be read: ${messageOf(thrown)}`);
    return record;
  }
}

function withStructure(metrics: TrialMetrics, stagesMs: Record<string, number>): TrialMetrics {
  const copy: TrialMetrics = { ...metrics };
  copy.stagesMs = stagesMs;
  return copy;
}
