import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { networkSpecs } from '../../../harness/network/registry.ts';
import { defaultAlpha } from '../../analyse/comparison/comparison-rules.ts';
import { diagnosedConditions } from '../../analyse/diagnosis/diagnose.ts';
import { interventionsFor, type Intervention } from '../../analyse/diagnosis/interventions.ts';
import { withInterventions, type CarriedOut } from '../../analyse/diagnosis/judge-intervention.ts';
import { quantileOfSorted } from '../../analyse/statistics/quantile.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Condition, Plan } from '../../model/plan.ts';
import type { Summary } from '../../model/summary.ts';
import { crossPlan } from '../../plan/cross-plan.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';

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

/**
 * The experiments that would tell causes of a run's differences, as far as its networks and arms allow; whether clients
 * and servers do is found out when one is carried out.
 */
export function proposedExperiments(directory: RunDirectory, summary: Summary): ProposedExperiment[] {
  const { plan } = directory;
  const specs = [...(plan.customNetworks ?? []), ...networkSpecs];
  const wanted = new Map<string, { intervention: Intervention; value: string; ids: Set<string> }>();
  for (const one of summary.diagnosis ?? []) {
    const conditions = plan.conditions.map((condition) => ({ condition, kind: kindOf(plan, condition) }));
    const network = specs.find(({ id }) => id === one.network);
    for (const { intervention, value } of interventionsFor(one, network)) {
      const key = `${intervention.id} ${value}`;
      const entry = wanted.get(key) ?? { intervention, value, ids: new Set<string>() };
      for (const { condition } of diagnosedConditions({ conditions }, one))
        entry.ids.add(condition.conditionId);
      wanted.set(key, entry);
    }
  }
  return [...wanted.values()].flatMap(({ intervention, value, ids }) => {
    const conditions = plan.conditions.filter(({ conditionId }) => ids.has(conditionId));
    const crossed = planOrNull(plan, intervention, value, conditions);
    if (crossed === null) return [];
    const folder = join(directory.path, 'experiments', `${intervention.id}-${slugOf(value)}`);
    return [
      {
        ...{ intervention, folder, plan: crossed },
        setting: `${intervention.factor}=${value}`,
        isDone: isWhole(folder),
        expectedMs: crossed.trials.length * medianTrialMs(directory, ids),
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

/** Null where an arm sets the factor itself, or a link cannot have it. */
function planOrNull(
  plan: Plan,
  intervention: Intervention,
  value: string,
  conditions: Condition[],
): Plan | null {
  const { id, factor } = intervention;
  const repetitions = Math.min(plan.repetitions, experimentBlocks);
  try {
    return crossPlan(plan, { id, factor, value }, { conditions, repetitions, networkSpecs });
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'usage') return null;
    throw thrown;
  }
}

function isWhole(folder: string): boolean {
  if (!existsSync(join(folder, 'journal.jsonl'))) return false;
  const experiment = openRunDirectory(folder);
  return experiment.journal().records.length >= experiment.plan.trials.length;
}

function medianTrialMs(directory: RunDirectory, conditionIds: ReadonlySet<string>): number {
  const ids = new Set(
    directory.plan.trials.flatMap(({ conditionId, trialId }) =>
      conditionIds.has(conditionId) ? trialId : [],
    ),
  );
  const times = directory
    .journal()
    .records.filter(({ trialId, status }) => status === 'ok' && ids.has(trialId))
    .map(({ durationMs, postProcessMs }) => durationMs + postProcessMs)
    .toSorted((a, b) => a - b);
  return quantileOfSorted(times, 0.5) ?? 0;
}

/** A summary with what the experiments of its run say of its diagnosis. */
export function withExperiments(directory: RunDirectory, summary: Summary): Summary {
  const { diagnosis } = summary;
  if (diagnosis === undefined || diagnosis.length === 0) return summary;
  const carriedOut = proposedExperiments(directory, summary).flatMap(
    ({ intervention, folder }): CarriedOut[] => {
      if (!existsSync(join(folder, 'journal.jsonl'))) return [];
      const experiment = openRunDirectory(folder);
      return [{ intervention, plan: experiment.plan, records: experiment.journal().records }];
    },
  );
  if (carriedOut.length === 0) return summary;
  return { ...summary, diagnosis: withInterventions(diagnosis, carriedOut, 1 - defaultAlpha) };
}
