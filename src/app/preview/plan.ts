import { primaryFamilies, type PrimaryFamily } from '../../analyse/forecast/decidability.ts';
import { forecastEvents } from '../../analyse/forecast/event-forecast.ts';
import { forecastPlan, type FamilyForecast } from '../../analyse/forecast/plan-forecast.ts';
import { exposureClause } from '../../analyse/wording/rare-events.ts';
import { machineClassOf } from '../../core/model/machine-class.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { loadCalibration } from '../../store/calibration-store.ts';
import { machineKind } from '../../core/system/machine.ts';
import { budgetMsOf, type PlanFileInput } from '../../plan/plan-file.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { asGate, namedSubjects } from '../gate/gate-run.ts';
import { factorOfRequest, isGatePreset, presetOfGate, type GateRequest } from '../gate/gate-subject.ts';
import { blocksWithin } from '../preflight/budget.ts';
import type { Blocker } from '../preflight/check.ts';
import { checkRequest } from '../preflight/check-request.ts';
import { thisMachine, type Machine } from '../preflight/machine-facts.ts';
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
  /** How much of rare events, such as stalls, each side shows in the blocks that the budget holds. */
  readonly events: readonly string[];
  /** What a run only warns of. */
  readonly warnings: readonly string[];
  /** Why a run of it would not begin here; empty where it would. */
  readonly refusals: readonly Blocker[];
}

interface PreviewOptions {
  /** What a gate would compare. Default: where the source is a preset of gates, a browser with itself. */
  readonly gate?: GateRequest;
  /** Margin of the gate's primary metrics, as a share. Default: each metric's own. */
  readonly margin?: number | undefined;
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
  { overrides = {}, machine, budgetMs: givenMs, gate, margin }: PreviewOptions = {},
): Promise<PlanPreview> {
  const own = await loadOwnWorkloads(context);
  const setup = await setupContextOf(context);
  const planSource = source ?? (gate === undefined ? undefined : presetOfGate(factorOfRequest(gate), 'gate'));
  const read = readPlanRequest(planSource, flags, own, overrides);
  const calibration = loadCalibration('results', machineClassOf(machineKind()));
  const namesArms = flags.arms !== undefined || flags.arm !== undefined;
  // What the versions are called changes neither time nor noise.
  const compared = gate ?? (isGatePreset(source) && !namesArms ? withItself : undefined);
  const judges = compared !== undefined || isGatePreset(source);
  const rules = { protocols: ['h2', 'h3'], interims: undefined, margin, margins: {}, own };
  const namesNetwork = flags.network !== undefined || overrides.networks !== undefined;
  const budgetMs = givenMs ?? budgetMsOf(read);
  const work = await checkRequest(
    {
      source: planSource,
      read: compared === undefined ? read : asGate(read, await namedSubjects(compared, setup), rules),
      own,
      namesNetwork,
      budgetMs,
      gate: judges
        ? { machineClass: machineClassOf(machineKind()), calibration, strict: true, force: false }
        : undefined,
    },
    context.command,
    machine ?? thisMachine(setup),
    false,
  );
  const timeOf = await expectedTrialTimes(work);
  const time = { pending: work.plan.trials, expectedTrialMs: timeOf, budgetMs };
  const held = { ...work.plan, repetitions: blocksWithin(time, work.plan.repetitions) };
  return {
    plan: work.plan,
    expectedMs: timeOfTrials(work.plan, timeOf),
    onHosts: timesOnHosts(work.plan, timeOf),
    budgetMs,
    families: primaryFamilies(work.plan),
    events: forecastEvents(
      held,
      (workload, name) => work.workloads.find(({ id }) => id === workload)?.exposure?.[name],
    ).map(exposureClause),
    // What one machine can tell apart says nothing of two.
    forecasts: calibration === null || work.plan.hosts !== undefined ? [] : forecastPlan(held, calibration),
    warnings: work.warnings,
    refusals: work.judged.refusals,
  };
}

const withItself: GateRequest = { baseline: 'embedded', candidate: 'embedded' };

type TrialTime = (trial: PlannedTrial) => number;

/** What a few and many machines would make of the plan. */
const hostCounts = [4, 20];

function timesOnHosts(whole: Plan, timeOf: TrialTime): PlanPreview['onHosts'] {
  if (whole.interims !== undefined) return [];
  return hostCounts.flatMap((hosts) => {
    const time = timeOnHosts(whole, timeOf, hosts);
    return time === undefined ? [] : { hosts, expectedMs: time };
  });
}
