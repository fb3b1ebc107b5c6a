import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import { factorsAppliedBy } from '../../../harness/servers/sender-settings.ts';
import { defaultAlpha } from '../../analyse/comparison/comparison-rules.ts';
import { diagnosedConditions } from '../../analyse/diagnosis/diagnose.ts';
import { interventionsFor, type Intervention } from '../../analyse/diagnosis/interventions.ts';
import { withInterventions, type CarriedOut } from '../../analyse/diagnosis/judge-intervention.ts';
import { quantileOfSorted } from '../../analyse/statistics/quantile.ts';
import type { Diagnosis } from '../../core/model/diagnosis.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { factorOf, type FactorName } from '../../core/factors/registry.ts';
import { mustApply, valueOf } from '../../core/factors/values.ts';
import type { Factors } from '../../core/model/factor.ts';
import type { Condition, Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import { crossPlan } from '../../plan/cross-plan.ts';
import { isWholeRun, openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';

/** Blocks of an experiment: the fewest for which intervals of a single workload are given. */
const experimentBlocks = 6;

/** An experiment that could confirm parts of a run's differences. */
export interface ProposedExperiment {
  readonly intervention: Intervention;
  /** The factor as it would be set, such as `cpu=50%`. */
  readonly setting: string;
  readonly plan: Plan;
  /** Folder of its run, within the folder of the run that it explains. */
  readonly folder: string;
  readonly isDone: boolean;
  /** By how long the run's own trials took, ms. */
  readonly expectedMs: number;
}

/** An intervention with the conditions that it would be made in. */
interface WantedExperiment {
  readonly intervention: Intervention;
  readonly value: string;
  readonly conditionIds: Set<string>;
  readonly folder: string;
}

/** Folder of the runs of experiments, within the folder of the run that they explain. */
function folderOf(directory: RunDirectory): string {
  return join(directory.path, 'experiments');
}

function wantedExperiments(directory: RunDirectory, summary: Summary): WantedExperiment[] {
  const { plan } = directory;
  const specs = [...(plan.customNetworks ?? []), ...networkSpecs];
  const wanted = new Map<string, WantedExperiment>();
  const conditions = plan.conditions.map((condition) => ({ condition, kind: kindOf(plan, condition) }));
  for (const diagnosis of summary.diagnosis ?? []) {
    const network = specs.find(({ id }) => id === diagnosis.network);
    for (const { intervention, value } of interventionsFor(
      diagnosis,
      network,
      commonFactors(plan, diagnosis),
    )) {
      const folder = join(folderOf(directory), `${intervention.id}-${slugOf(value)}`);
      const entry = wanted.get(folder) ?? { intervention, value, folder, conditionIds: new Set() };
      for (const { condition } of diagnosedConditions({ conditions }, diagnosis))
        entry.conditionIds.add(condition.conditionId);
      wanted.set(folder, entry);
    }
  }
  return [...wanted.values()];
}

/**
 * The experiments that would tell causes of a run's differences, as far as its networks and arms allow; whether clients
 * and servers do is found out when one is carried out.
 */
export function proposedExperiments(directory: RunDirectory, summary: Summary): ProposedExperiment[] {
  const wanted = wantedExperiments(directory, summary);
  if (wanted.length === 0) return [];
  const { plan } = directory;
  const { records } = directory.journal();
  return wanted.flatMap(({ intervention, value, conditionIds, folder }) => {
    const conditions = plan.conditions.filter(({ conditionId }) => conditionIds.has(conditionId));
    const crossed = planOrNull(plan, intervention, value, conditions);
    if (crossed === null) return [];
    return [
      {
        intervention,
        folder,
        plan: crossed,
        setting: `${intervention.factor}=${value}`,
        isDone: isWholeRun(folder),
        expectedMs: crossed.trials.length * medianTrialMs(plan, records, conditionIds),
      },
    ];
  });
}

function kindOf(plan: Plan, { workload }: Condition): Plan['workloads'][number]['kind'] {
  return plan.workloads.find(({ id }) => id === workload)?.kind ?? 'download';
}

function slugOf(value: string): string {
  return value
    .toLowerCase()
    .replaceAll('%', '')
    .replaceAll(/[^a-z0-9.]+/g, '-');
}

/** What both arms of a difference set alike. */
function commonFactors({ arms }: Plan, { baselineArm, candidateArm }: Diagnosis): Factors {
  const factorsOf = (label: string | undefined): Factors =>
    arms.find((arm) => arm.label === label)?.factors ?? {};
  const candidate = factorsOf(candidateArm);
  return Object.fromEntries(
    Object.entries(factorsOf(baselineArm)).filter(([name, value]) => candidate[name as FactorName] === value),
  );
}

/** Null where arms set the factor and not all alike, or a link or the server cannot have it. */
function planOrNull(
  plan: Plan,
  intervention: Intervention,
  value: string,
  conditions: Condition[],
): Plan | null {
  const { id, factor, protocols } = intervention;
  if (!conditions.some(({ server }) => canSwitch(server, factor, value))) return null;
  const repetitions = Math.min(plan.repetitions, experimentBlocks);
  try {
    return crossPlan(plan, { id, factor, value, protocols }, { conditions, repetitions, networkSpecs });
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'usage') return null;
    throw thrown;
  }
}

/** Whether a server, which is known beforehand, can do what is its own to do; of arms' own servers the plan's checks say so. */
function canSwitch(server: string, factorName: FactorName, value: string): boolean {
  const factor = factorOf(factorName);
  const software = serverNamed(server);
  if (software === undefined || !mustApply(factor, valueOf(factor, value), ['server'], {})) return true;
  return factorsAppliedBy(software).some((name) => name === factorName);
}

function medianTrialMs(
  plan: Plan,
  records: readonly TrialRecord[],
  conditionIds: ReadonlySet<string>,
): number {
  const ids = new Set(
    plan.trials.flatMap(({ conditionId, trialId }) => (conditionIds.has(conditionId) ? trialId : [])),
  );
  const times = records
    .filter(({ trialId, status }) => status === 'ok' && ids.has(trialId))
    .map(({ durationMs, postProcessMs }) => durationMs + postProcessMs)
    .toSorted((a, b) => a - b);
  return quantileOfSorted(times, 0.5) ?? 0;
}

/** A summary with what the experiments of its run say of its diagnosis. */
export function withExperiments(directory: RunDirectory, summary: Summary): Summary {
  const { diagnosis } = summary;
  if (diagnosis === undefined || !existsSync(folderOf(directory))) return summary;
  const carriedOut = wantedExperiments(directory, summary).flatMap(
    ({ intervention, folder }): CarriedOut[] => {
      if (!existsSync(join(folder, 'journal.jsonl'))) return [];
      const experiment = openRunDirectory(folder);
      return [{ intervention, plan: experiment.plan, records: experiment.journal().records }];
    },
  );
  if (carriedOut.length === 0) return summary;
  return { ...summary, diagnosis: withInterventions(diagnosis, carriedOut, 1 - defaultAlpha) };
}
