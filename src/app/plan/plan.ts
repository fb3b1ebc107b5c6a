import { availableParallelism } from 'node:os';
import { primaryFamilies, type PrimaryFamily } from '../../analyse/decidability.ts';
import { forecastPlan, type FamilyForecast } from '../../analyse/plan-forecast.ts';
import { H2h3Error } from '../../model/errors.ts';
import { machineClassOf } from '../../model/machine-class.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import { describeMachine } from '../../system/machine.ts';
import { budgetMsOf, type PlanFileInput } from '../../plan/plan-file.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { requireKnownNames } from './known-names.ts';
import { requireJudgeableProbes } from './judged-probes.ts';
import { loadOwnWorkloads } from './own-workloads.ts';
import { requirePossibleTrials } from './possible-trials.ts';
import { planFromRequest, readPlanRequest, type PlanFlags } from './plan-request.ts';
import { rateWarnings } from './rate-warnings.ts';
import { requireBudget } from '../run/require-budget.ts';
import { expectedTrialTimes, timeOfTrials, timeOnHosts } from './scale-times.ts';

/** What would run. */
export interface PlanPreview {
  readonly plan: Plan;
  /** Time of all trials and of the checks of their paths, ms. */
  readonly expectedMs: number;
  /** The same parted over several machines: the time of the one that is done last. Empty for a plan that cannot be parted. */
  readonly onHosts: readonly { readonly hosts: number; readonly expectedMs: number }[];
  /** After so many ms the run begins no further block; undefined without such a limit. */
  readonly budgetMs: number | undefined;
  /** Whether each family of primary comparisons can decide anything. */
  readonly families: readonly PrimaryFamily[];
  /** What each family would find on this machine; empty without a calibration of its class. */
  readonly forecasts: readonly FamilyForecast[];
  /** What this machine may not carry of the plan's paths. */
  readonly warnings: readonly string[];
}

/**
 * Expands a preset or a plan file without running anything.
 *
 * @throws H2h3Error `usage` or `bad-input` for a plan that cannot be
 */
export async function plan(
  source: string | undefined,
  flags: PlanFlags,
  context: AppContext,
  overrides: PlanFileInput = {},
): Promise<PlanPreview> {
  const own = await loadOwnWorkloads(context);
  const read = readPlanRequest(source, flags, own, overrides);
  const work = planFromRequest(read, context.command, own);
  await requireKnownNames(work.plan, await setupContextOf(context));
  requireJudgeableProbes(work.plan);
  // A plan may be of another machine, so clients are not looked for: only what no machine can do is refused.
  const impossible = await requirePossibleTrials(work.plan, new Map(), () => Promise.resolve([]));
  const calibration = loadCalibration('results', machineClassOf(await describeMachine()));
  const timeOf = await expectedTrialTimes(work);
  const budgetMs = budgetMsOf(read);
  return {
    plan: work.plan,
    expectedMs: timeOfTrials(work.plan.trials, timeOf),
    onHosts: timesOnHosts(work.plan, timeOf),
    budgetMs,
    families: primaryFamilies(work.plan),
    forecasts: calibration === null ? [] : forecastPlan(work.plan, calibration),
    warnings: [
      ...impossible,
      ...rateWarnings(work.plan, availableParallelism()),
      ...budgetWarnings(work.plan, timeOf, budgetMs),
    ],
  };
}

type TrialTime = (trial: PlannedTrial) => number;

/** What `run` refuses, where its budget has no room for a block. */
function budgetWarnings({ trials }: Plan, timeOf: TrialTime, budgetMs: number | undefined): string[] {
  try {
    requireBudget(trials, timeOf, budgetMs);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    return [`run refuses this: ${thrown.message}. ${thrown.next ?? ''}`];
  }
}

/** What a few and many machines would make of the plan. */
const hostCounts = [4, 20];

function timesOnHosts(whole: Plan, timeOf: TrialTime): PlanPreview['onHosts'] {
  if (whole.looks !== undefined) return [];
  return hostCounts.flatMap((hosts) => {
    const time = timeOnHosts(whole, timeOf, hosts);
    return time === undefined ? [] : { hosts, expectedMs: time };
  });
}
