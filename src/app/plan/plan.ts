import { availableParallelism } from 'node:os';
import { primaryFamilies, type PrimaryFamily } from '../../analyse/decidability.ts';
import { forecastPlan, type FamilyForecast } from '../../analyse/plan-forecast.ts';
import { H2h3Error } from '../../model/errors.ts';
import { machineClassOf } from '../../model/machine-class.ts';
import type { Plan } from '../../model/plan.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import { describeMachine } from '../../system/machine.ts';
import { budgetMsOf, type PlanFileInput } from '../../plan/plan-file.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { requireKnownNames } from './known-names.ts';
import { loadOwnWorkloads } from './own-workloads.ts';
import { planFromRequest, readPlanRequest, type PlanFlags, type PlannedWork } from './plan-request.ts';
import { rateWarnings } from './rate-warnings.ts';
import { requireBudget } from '../run/require-budget.ts';
import { expectedMs, expectedMsOnHosts, expectedTrialTimes } from './scale-times.ts';

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
  const calibration = loadCalibration('results', machineClassOf(await describeMachine()));
  return {
    plan: work.plan,
    expectedMs: await expectedMs(work),
    onHosts: await timesOnHosts(work),
    budgetMs: budgetMsOf(read),
    families: primaryFamilies(work.plan),
    forecasts: calibration === null ? [] : forecastPlan(work.plan, calibration),
    warnings: [...rateWarnings(work.plan, availableParallelism()), ...(await budgetWarnings(work, read))],
  };
}

/** What `run` refuses, where its budget has no room for a block. */
async function budgetWarnings(work: PlannedWork, read: PlanFileInput): Promise<string[]> {
  try {
    requireBudget(work.plan.trials, await expectedTrialTimes(work), budgetMsOf(read));
    return [];
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error)) throw thrown;
    return [`run refuses this: ${thrown.message}. ${thrown.next ?? ''}`];
  }
}

/** What a few and many machines would make of the plan. */
const hostCounts = [4, 20];

async function timesOnHosts(work: PlannedWork): Promise<PlanPreview['onHosts']> {
  if (work.plan.looks !== undefined) return [];
  const times = await Promise.all(
    hostCounts.map(async (hosts) => ({ hosts, expectedMs: await expectedMsOnHosts(work, hosts) })),
  );
  return times.flatMap(({ hosts, expectedMs: time }) =>
    time === undefined ? [] : { hosts, expectedMs: time },
  );
}
