import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosisProbes } from '../../../harness/probes/selection.ts';
import { defaultAlpha } from '../../analyse/comparison/comparison-rules.ts';
import { buildTrialTable } from '../../analyse/comparison/trial-table.ts';
import { foundDifferences, type FoundDifference } from '../../analyse/diagnosis/diagnose.ts';
import { mergeDiagnosis } from '../../analyse/diagnosis/merge-diagnosis.ts';
import { summarise } from '../../analyse/summary/summarise.ts';
import { withRecordings } from './with-recordings.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import { furtherInstrumentedBlocks } from '../../plan/blocks.ts';
import { createRunDirectory, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';

/** Blocks of a diagnosis run: the fewest for which intervals are given. */
const diagnosisBlocks = 6;

/** Of the intervals by which a difference is beyond chance. */
const level = 1 - defaultAlpha;

/** A diagnosis run lies in the folder of the run that it explains. */
function folderOf(directory: RunDirectory): string {
  return join(directory.path, 'diagnosis');
}

/**
 * The plan that records what is to be explained, with every probe for diagnosis, in recorded blocks of its own.
 *
 * @throws H2h3Error `usage` when the run has fewer blocks than a diagnosis needs
 */
export function diagnosisPlan(plan: Plan, found: readonly FoundDifference[]): Plan {
  if (plan.repetitions < diagnosisBlocks)
    throw new H2h3Error('usage', `a diagnosis needs a run of at least ${diagnosisBlocks} blocks`, {
      context: { expected: `--repetitions ${diagnosisBlocks}`, got: String(plan.repetitions) },
    });
  const wanted = plan.conditions.filter((condition) =>
    found.some(
      ({ workload, client, network, server }) =>
        workload === condition.workload &&
        client === condition.client &&
        network === condition.network &&
        server === condition.server,
    ),
  );
  const ids = new Set(wanted.map(({ conditionId }) => conditionId));
  const workloads = new Set(wanted.map(({ workload }) => workload));
  const judgedOnce: Plan = { ...plan };
  delete judgedOnce.interims;
  return {
    ...judgedOnce,
    name: `${plan.name}-diagnosis`,
    exploratory: true,
    repetitions: diagnosisBlocks,
    recordedBlocks: diagnosisBlocks,
    probes: [...new Set([...plan.probes, ...diagnosisProbes])],
    workloads: plan.workloads.filter(({ id }) => workloads.has(id)),
    conditions: wanted,
    trials: furtherInstrumentedBlocks(plan, ids, diagnosisBlocks),
  };
}

/** The folder of the diagnosis run, begun or resumed; null when nothing is to be explained. */
export function openDiagnosisRun(directory: RunDirectory): string | null {
  const { plan } = directory;
  const found = foundDifferences(plan, buildTrialTable(plan, directory.journal().records), level);
  if (found.length === 0) return null;
  const folder = folderOf(directory);
  if (!existsSync(join(folder, 'plan.json')))
    createRunDirectory(folder, diagnosisPlan(plan, found), { latest: false });
  return folder;
}

/**
 * A summary with what the trials of its run recorded, and what its diagnosis run says in the place of its own words.
 *
 * @param finer of the diagnosis run, for a caller that has read it
 */
export function withDiagnosisRun(
  directory: RunDirectory,
  summary: Summary,
  finer: Summary | null = summaryOfDiagnosisRun(directory),
): Summary {
  const recorded = withRecordings(directory, summary);
  if (finer === null) return recorded;
  const { diagnosis = [], comparisons, warnings } = finer;
  const merged = mergeDiagnosis(recorded.diagnosis ?? [], diagnosis, comparisons);
  return {
    ...recorded,
    ...(merged.length === 0 ? {} : { diagnosis: merged }),
    warnings: [...recorded.warnings, ...warnings],
  };
}

/**
 * What was measured in blocks of its own to explain a run; null where nothing was. Its warnings are those of what is missing
 * or cannot be read.
 */
export function summaryOfDiagnosisRun(directory: RunDirectory): Summary | null {
  const folder = folderOf(directory);
  if (!existsSync(join(folder, 'journal.jsonl'))) return null;
  const finer = openRunDirectory(folder);
  const { records, warnings } = finer.journal();
  const done = records.length;
  const planned = finer.plan.trials.length;
  const lacking =
    done < planned
      ? [
          `the diagnosis run has ${done} of ${planned} trials: npx h2h3 diagnose ${directory.path} --measure makes the others`,
        ]
      : [];
  const torn = warnings.map((warning) => `the diagnosis run: ${warning}`);
  const { plan, records: all } = withUninstrumentedTrials(directory, finer);
  const said = summarise(plan, all, finer.environment(), []);
  return withRecordings(finer, { ...said, warnings: [...torn, ...lacking] });
}

/** The recorded trials of a diagnosis run with the timed trials of the run that it explains, of the same conditions. */
function withUninstrumentedTrials(
  directory: RunDirectory,
  finer: RunDirectory,
): { readonly plan: Plan; readonly records: readonly TrialRecord[] } {
  const { plan } = directory;
  const ids = new Set(finer.plan.conditions.map(({ conditionId }) => conditionId));
  const timed = plan.trials.filter(
    ({ conditionId, instrumentation }) => instrumentation === 'uninstrumented' && ids.has(conditionId),
  );
  const uninstrumentedIds = new Set(timed.map(({ trialId }) => trialId));
  const judged = directory.journal().records.filter(({ trialId }) => uninstrumentedIds.has(trialId));
  return {
    plan: { ...finer.plan, repetitions: plan.repetitions, trials: [...timed, ...finer.plan.trials] },
    records: [...judged, ...finer.journal().records],
  };
}
