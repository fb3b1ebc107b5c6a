import { armPairs } from '../../analyse/comparison/arm-pairs.ts';
import { sequentialBlocks } from '../../analyse/comparison/interim-levels.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Workload } from '../../core/model/workload.ts';
import type { PlanFile } from '../../plan/plan-file.ts';
import {
  buildsOf,
  buildSubjects,
  factorOfGate,
  findSubjects,
  gateArms,
  gatePairs,
  namesOf,
  type FoundClients,
  type GateRequest,
  type GateSubjects,
} from './gate-subject.ts';
import { shareMargins } from './share-margins.ts';
import { checkRequest, type NewRunRequest } from '../preflight/check-request.ts';
import type { GateLimits } from '../preflight/facts.ts';
import { thisMachine } from '../preflight/machine-facts.ts';
import { throwRefusals } from '../preflight/preflight.ts';
import { openNewRun } from '../run/open-run.ts';
import type { FinishedRun } from '../run/publish-run.ts';
import { measureRun, publishAs } from '../run/run.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import type { PlanFlags } from '../plan/plan-flags.ts';
import { planFromRequest, readPlanRequest } from '../plan/plan-request.ts';
import type { AppContext } from '../app-context.ts';

export interface GateRunOptions extends GateRequest {
  /** A preset or a plan file. */
  readonly source: string;
  readonly flags: PlanFlags;
  /** Workloads of own videos that the request may name. */
  readonly own: readonly Workload[];
  readonly protocols: readonly string[];
  /** Blocks of the interim analyses; default: every second block from the first that can decide, to 20. */
  readonly interims: readonly number[] | undefined;
  /** Margin of every primary metric. */
  readonly margin: number | undefined;
  readonly margins: Readonly<Record<string, number>>;
  readonly budgetMs: number | undefined;
  readonly out: string | undefined;
  readonly port: number | undefined;
  /** Run even browsers of different builds. */
  readonly force: boolean;
  readonly limits: GateLimits;
}

/** Margins with that of `--margin` for every primary metric of the request. */
export function gateMargins(
  request: PlanFile,
  margin: number | undefined,
  own: readonly Workload[] = [],
): Record<string, number> {
  if (margin === undefined) return {};
  return shareMargins(Object.values(planFromRequest(request, '', own).plan.primary), margin);
}

/** What a gate says of how long it goes on, and of how it judges. */
type GateRules = Pick<GateRunOptions, 'protocols' | 'interims' | 'margin' | 'margins' | 'own'>;

/** A request as a gate runs it: both subjects in every block, over the protocols and with what its arms set, interim analyses, margins. */
export function asGate(read: PlanFile, subjects: GateSubjects, rules: GateRules): PlanFile {
  const arms = gateArms(subjects, rules.protocols, read.arms);
  return {
    ...read,
    name: `gate-${read.name}`,
    arms,
    compare: gatePairs(arms, subjects),
    sequential: true,
    repetitions: rules.interims?.at(-1) ?? sequentialBlocks,
    ...(rules.interims === undefined ? {} : { interims: [...rules.interims] }),
    margins: { ...read.margins, ...gateMargins(read, rules.margin, rules.own), ...rules.margins },
  };
}

function gateRequest(options: GateRunOptions, subjects: GateSubjects): PlanFile {
  const builds = buildsOf(options);
  const flags = builds === undefined ? options.flags : { ...options.flags, builds };
  return asGate(readPlanRequest(options.source, flags, options.own), subjects, options);
}

function runRequest(options: GateRunOptions, subjects: GateSubjects): NewRunRequest {
  return {
    source: options.source,
    read: gateRequest(options, subjects),
    own: options.own,
    namesNetwork: options.flags.network !== undefined,
    budgetMs: options.budgetMs,
    gate: options.limits,
    strict: options.limits.strict,
  };
}

/** What the gate will judge, before anything is measured. */
function judgedPairs(plan: Plan): string {
  const pairs = armPairs(plan).filter(({ primary }) => primary);
  return `the gate judges ${pairs.map((pair) => `${pair.candidate.label} against ${pair.baseline.label}`).join(', and ')}`;
}

/** As the user names them: nothing is fetched for a gate that cannot begin. */
export async function namedSubjects(options: GateRequest, setup: SetupContext): Promise<GateSubjects> {
  if (buildsOf(options) !== undefined) return buildSubjects;
  const names = namesOf(options);
  const factor = await factorOfGate(names, setup);
  return { factor, names: [names.baseline, names.candidate], warnings: [] };
}

/** As they are here. */
async function foundSubjects(
  options: GateRunOptions,
  setup: SetupContext,
  gather: () => Promise<FoundClients>,
): Promise<GateSubjects> {
  if (buildsOf(options) !== undefined) return buildSubjects;
  const names = { ...namesOf(options), force: options.force };
  return findSubjects(names, await factorOfGate(names, setup), await gather());
}

/** Runs baseline and candidate in the same blocks until the gate is decided, the blocks or the budget are used up. */
export async function runGate(
  options: GateRunOptions,
  setup: SetupContext,
  context: AppContext,
): Promise<FinishedRun> {
  const machine = thisMachine(setup);
  const named = runRequest(options, await namedSubjects(options, setup));
  const { judged, plan } = await checkRequest(named, context.command, machine, false);
  throwRefusals(judged);
  context.progress.say(judgedPairs(plan));
  const subjects = await foundSubjects(options, setup, () => machine.gather(plan, true));
  const opened = await openNewRun(runRequest(options, subjects), options.out, machine, context);
  const warnings = [...opened.warnings, ...subjects.warnings];
  const { budgetMs, port } = options;
  const publish = publishAs(options.limits.strict, context);
  return measureRun({ ...opened, warnings }, { budgetMs, port, publish }, context);
}
