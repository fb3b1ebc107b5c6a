import { loopback } from '../../../harness/network/loopback.ts';
import { formerNamesNotice } from '../../core/factors/former-names.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PlanQueue, Shard } from '../../core/model/shard.ts';
import type { Workload } from '../../core/model/workload.ts';
import { ownPart } from '../../core/model/lease.ts';
import type { PlanFile } from '../../plan/plan-file.ts';
import { presetNamed } from '../presets/registry.ts';
import { planFromRequest, type PlannedWork, type PlanRequest } from '../plan/plan-request.ts';
import { expectedTrialTimes } from '../plan/scale-times.ts';
import type { Facts, GateLimits } from './facts.ts';
import type { MachineFacts, Machine } from './machine-facts.ts';
import { judgePlan, type Judged } from './preflight.ts';

/** What is asked of a run, or only of its plan. */
export interface NewRunRequest extends Omit<PlanRequest, 'own'>, Partial<Pick<PlanRequest, 'own'>> {
  /** The run begins no block that would end after this time, ms; undefined without such a limit. */
  readonly budgetMs: number | undefined;
  /** The part of the plan that is to run here. Default: all of it. */
  readonly shard?: Shard | undefined;
  /** How workers are to share it. Default: it runs here. */
  readonly queue?: PlanQueue | undefined;
  /** Whether a gate or budget that stays undecided is a failure. Default: no. */
  readonly strict?: boolean | undefined;
  /** Of a gate: what it must be able to tell apart. */
  readonly gate?: GateLimits | undefined;
}

/** A plan with everything that the checks say of it before anything is started. */
export interface CheckedRequest extends PlannedWork {
  readonly gathered: MachineFacts;
  readonly judged: Judged;
  /** What a reader must know of how the plan came about. */
  readonly warnings: readonly string[];
}

/**
 * Expands a request and judges it by what a machine has. What is missing is fetched only where nothing else keeps the plan
 * from beginning.
 */
export async function checkRequest(
  request: NewRunRequest,
  command: string,
  machine: Machine,
  fetches: boolean,
): Promise<CheckedRequest> {
  if (!fetches) return judgeRequest(request, command, machine, false);
  const isPossible = (await judgeUnfetched(request, command, machine)).refusals.length === 0;
  return judgeRequest(request, command, machine, isPossible);
}

/** What is said of a request before anything is fetched. How long it takes matters only to a budget. */
async function judgeUnfetched(request: NewRunRequest, command: string, machine: Machine): Promise<Judged> {
  if (request.budgetMs !== undefined) return (await judgeRequest(request, command, machine, false)).judged;
  const { plan } = planFromRequest(withSpareBlocks(request), command, request.own);
  return judgePlan(partOf(plan, request), { setup: machine.setup, clients: new Map() });
}

async function judgeRequest(
  request: NewRunRequest,
  command: string,
  { gather }: Machine,
  fetches: boolean,
): Promise<CheckedRequest> {
  const read = withSpareBlocks(request);
  const { plan: draft } = planFromRequest(read, command, request.own);
  const gathered = await gather(draft, fetches);
  const { file, networks, warnings } = withinReach(read, request, gathered);
  const { plan: whole, workloads } = planFromRequest(file, command, request.own);
  const plan = partOf(whole, request);
  const time = await timeOf(plan, workloads, request);
  const judged = await judgePlan(plan, { ...gathered, networks, time, ...gateOf(request) });
  return {
    plan,
    workloads,
    gathered,
    judged,
    warnings: [...formerNamesNotice(request.read.formerNames ?? []), ...warnings, ...judged.warnings],
  };
}

const gateOf = ({ gate }: NewRunRequest): Pick<Partial<Facts>, 'gate'> =>
  gate === undefined ? {} : { gate };

async function timeOf(
  plan: Plan,
  workloads: readonly Workload[],
  { budgetMs }: NewRunRequest,
): Promise<Facts['time']> {
  const expectedTrialMs = await expectedTrialTimes({ plan, workloads });
  return { pending: ownPart(plan).trials, expectedTrialMs, budgetMs };
}

function withSpareBlocks({ read, queue }: NewRunRequest): PlanFile {
  return queue === undefined ? read : { ...read, repetitions: read.repetitions + queue.spareBlocks };
}

/** The plan with what of it is to run here, or who is to run it. */
function partOf(plan: Plan, { shard, queue }: NewRunRequest): Plan {
  if (queue !== undefined) return { ...plan, repetitions: plan.repetitions - queue.spareBlocks, queue };
  return shard === undefined ? plan : { ...plan, shard };
}

interface WithinReach extends Pick<MachineFacts, 'networks'> {
  readonly file: PlanFile;
  readonly warnings: readonly string[];
}

/**
 * The request with `best` under the name of what was found, and over loopback where a preset names networks that this
 * machine cannot shape and the user did not choose them.
 */
function withinReach(read: PlanFile, request: NewRunRequest, { best, networks }: MachineFacts): WithinReach {
  const clients = [...new Set(read.clients.map((name) => (name === 'best' ? (best ?? name) : name)))];
  const isChosen = request.namesNetwork || read.audience !== undefined;
  const mayFallBack = presetNamed(request.source) !== undefined && !isChosen;
  const [lacking] = [...networks].filter(([, { code }]) => code === 'unsupported');
  if (lacking === undefined || !mayFallBack) return { file: { ...read, clients }, networks, warnings: [] };
  const [id, { message, next = '' }] = lacking;
  return {
    file: { ...read, clients, networks: [loopback.id] },
    networks: new Map(),
    warnings: [
      [
        `${id} cannot be had here: ${message}.`,
        ...(next === '' ? [] : [next]),
        'This run goes over loopback, where nothing is shaped and a ladder may be saturated.',
      ].join(' '),
    ],
  };
}
