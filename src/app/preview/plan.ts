import { primaryFamilies, type PrimaryFamily } from '../../analyse/decidability.ts';
import { forecastPlan, type FamilyForecast } from '../../analyse/plan-forecast.ts';
import { machineClassOf } from '../../core/model/machine-class.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import { machineKind } from '../../core/system/machine.ts';
import { budgetMsOf, type PlanFile, type PlanFileInput } from '../../plan/plan-file.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { gateArms, isGatePreset } from '../gate/gate-subject.ts';
import { blocksWithin } from '../preflight/budget.ts';
import type { Obstacle } from '../preflight/check.ts';
import { checkRequest } from '../preflight/check-request.ts';
import { thisMachine, type Machine } from '../preflight/gather.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import type { PlanFlags } from '../plan/plan-flags.ts';
import { readPlanRequest } from '../plan/plan-request.ts';
import { expectedTrialTimes, timeOfTrials, timeOnHosts } from '../plan/scale-times.ts';

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
  /** What each family would find on this machine in the blocks that the budget holds; empty without a calibration of its class. */
  readonly forecasts: readonly FamilyForecast[];
  /** What a run says and goes on with. */
  readonly warnings: readonly string[];
  /** Why a run of it would not begin here; empty where it would. */
  readonly refusals: readonly Obstacle[];
}

interface PreviewOptions {
  /** Fields of a plan file; they win over preset, file and flags. */
  readonly overrides?: PlanFileInput;
  /** What is looked at. Default: this machine. */
  readonly machine?: Machine;
  /** After so many ms the run would begin no further block; wins over the plan file's. */
  readonly budgetMs?: number | undefined;
}

/**
 * Expands a preset or a plan file and judges it as a run would, without fetching or running anything.
 *
 * @throws H2h3Error `usage` or `bad-input` for what cannot be expanded
 */
export async function plan(
  source: string | undefined,
  flags: PlanFlags,
  context: AppContext,
  { overrides = {}, machine, budgetMs: givenMs }: PreviewOptions = {},
): Promise<PlanPreview> {
  const own = await loadOwnWorkloads(context);
  const read = readPlanRequest(source, flags, own, overrides);
  const calibration = loadCalibration('results', machineClassOf(machineKind()));
  const gate = isGatePreset(source)
    ? { machineClass: machineClassOf(machineKind()), calibration, strict: true, force: false }
    : undefined;
  const namesNetwork = flags.network !== undefined || overrides.networks !== undefined;
  const budgetMs = givenMs ?? budgetMsOf(read);
  const work = await checkRequest(
    { source, read: gate === undefined ? read : asGate(read, flags), own, namesNetwork, budgetMs, gate },
    context.command,
    machine ?? thisMachine(await setupContextOf(context)),
    false,
  );
  const timeOf = await expectedTrialTimes(work);
  const time = { pending: work.plan.trials, expectedTrialMs: timeOf, budgetMs };
  const held = { ...work.plan, repetitions: blocksWithin(time, work.plan.repetitions) };
  return {
    plan: work.plan,
    expectedMs: timeOfTrials(work.plan.trials, timeOf),
    onHosts: timesOnHosts(work.plan, timeOf),
    budgetMs,
    families: primaryFamilies(work.plan),
    forecasts: calibration === null ? [] : forecastPlan(held, calibration),
    warnings: work.warnings,
    refusals: work.judged.refusals,
  };
}

/** A gate has both versions over both protocols; what they are called changes neither time nor noise. */
function asGate(read: PlanFile, flags: PlanFlags): PlanFile {
  if (flags.arms !== undefined || flags.arm !== undefined) return read;
  const arms = gateArms({ factor: 'client', names: ['embedded', 'embedded'], warnings: [] }, ['h2', 'h3']);
  return { ...read, arms };
}

type TrialTime = (trial: PlannedTrial) => number;

/** What a few and many machines would make of the plan. */
const hostCounts = [4, 20];

function timesOnHosts(whole: Plan, timeOf: TrialTime): PlanPreview['onHosts'] {
  if (whole.looks !== undefined) return [];
  return hostCounts.flatMap((hosts) => {
    const time = timeOnHosts(whole, timeOf, hosts);
    return time === undefined ? [] : { hosts, expectedMs: time };
  });
}
