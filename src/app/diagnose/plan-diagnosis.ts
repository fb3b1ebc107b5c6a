import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diagnosisProbes } from '../../../harness/probes/selection.ts';
import { pooledWorkload } from '../../analyse/comparison/pooled-drafts.ts';
import { mergeDiagnosis } from '../../analyse/diagnosis/merge-diagnosis.ts';
import { withRecordings } from './with-recordings.ts';
import { summaryOf } from '../report/recorded-summary.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Plan } from '../../model/plan.ts';
import type { Summary } from '../../model/summary.ts';
import { createRunDirectory, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';

/** Blocks of a diagnosis run: the fewest for which intervals are given. */
const diagnosisBlocks = 6;

/** A diagnosis run lies in the folder of the run that it explains. */
function folderOf(directory: RunDirectory): string {
  return join(directory.path, 'diagnosis');
}

/**
 * The plan that measures again what is to be explained, with every probe for diagnosis, in blocks of its own: those trials
 * are never judged, because the probes cost time.
 *
 * @throws H2h3Error `usage` when the run has fewer blocks than a diagnosis needs
 */
export function diagnosisPlan(plan: Plan, explained: readonly Diagnosis[]): Plan {
  if (plan.repetitions < diagnosisBlocks)
    throw new H2h3Error('usage', `a diagnosis needs a run of at least ${diagnosisBlocks} blocks`, {
      context: { expected: `--repetitions ${diagnosisBlocks}`, got: String(plan.repetitions) },
    });
  const wanted = plan.conditions.filter((condition) =>
    explained.some(
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
  delete judgedOnce.looks;
  return {
    ...judgedOnce,
    name: `${plan.name}-diagnosis`,
    exploratory: true,
    repetitions: diagnosisBlocks,
    probes: [...new Set([...plan.probes, ...diagnosisProbes])],
    workloads: plan.workloads.filter(({ id }) => workloads.has(id)),
    conditions: wanted,
    trials: plan.trials.filter(
      ({ conditionId, blockIndex }) => ids.has(conditionId) && blockIndex < diagnosisBlocks,
    ),
  };
}

/** The differences that more probes can explain: of single workloads, because means over pages are made of these. */
export function explainable(summary: Summary): readonly Diagnosis[] {
  return (summary.diagnosis ?? []).filter(({ workload }) => workload !== pooledWorkload);
}

/** The folder of the diagnosis run, begun or gone on with; null when nothing is to be explained. */
export function openDiagnosisRun(directory: RunDirectory, summary: Summary): string | null {
  const explained = explainable(summary);
  if (explained.length === 0) return null;
  const folder = folderOf(directory);
  if (!existsSync(join(folder, 'plan.json')))
    createRunDirectory(folder, diagnosisPlan(directory.plan, explained), { latest: false });
  return folder;
}

/**
 * A summary with what the trials of its run recorded, and what its diagnosis run says in the place of its own words.
 *
 * @param finer of the diagnosis run, for whoever has read it
 */
export function withDiagnosisRun(
  directory: RunDirectory,
  summary: Summary,
  finer: Summary | null = summaryOfDiagnosisRun(directory),
): Summary {
  const recorded = withRecordings(directory, summary);
  if (recorded.diagnosis === undefined || finer === null) return recorded;
  const { diagnosis = [], comparisons, warnings } = finer;
  return {
    ...recorded,
    diagnosis: mergeDiagnosis(recorded.diagnosis, diagnosis, comparisons),
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
  const [done, planned] = [records.length, finer.plan.trials.length];
  const lacking =
    done < planned
      ? [
          `the diagnosis run has ${done} of ${planned} trials: npx h2h3 diagnose ${directory.path} --measure makes the others`,
        ]
      : [];
  const torn = warnings.map((warning) => `the diagnosis run: ${warning}`);
  return withRecordings(finer, { ...summaryOf(finer), warnings: [...torn, ...lacking] });
}
