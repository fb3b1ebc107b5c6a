import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error } from '../../model/errors.ts';
import { leasesOf, type Lease } from '../../model/lease.ts';
import type { PlannedTrial } from '../../model/plan.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { PlanQueue } from '../../model/shard.ts';
import { leaseResults, type LeaseResults } from '../../store/results/lease-results.ts';
import { openResultsStore } from '../../store/results/open-results-store.ts';
import type { ResultsStore } from '../../store/results/results-store.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { lockRunDirectory } from '../../store/run-lock.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { givenPath } from '../given-path.ts';
import { mergedEnvironment } from '../merge/merged-environment.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import { readPlanRequest } from '../plan/plan-request.ts';
import { notRun } from '../run/finish-trial.ts';
import { openNewRun } from '../run/open-run.ts';
import { publishRun, type FinishedRun, type RunOptions } from '../run/run.ts';
import { shellWord } from '../shell-word.ts';
import { versionWords } from '../version.ts';
import { openLeaseQueues, type CoordinatorQueue, type EndedLease, type LeaseQueues } from './lease-queue.ts';
import { lostLease, lostLeases, neededLeases, type NeededLeases } from './needed-leases.ts';
import { publishTables } from './publish-tables.ts';

/** Where hosts that share a run meet. */
export interface MeetingPlace {
  /** Address of Redis or Valkey. */
  readonly workers: string;
  /** Folder that all hosts see, or bucket (`s3://bucket/prefix`). */
  readonly results: string;
}

export interface CoordinateOptions
  extends Pick<RunOptions, 'source' | 'flags' | 'plan' | 'out'>, MeetingPlace {
  /** Blocks settled beforehand whose leases stand in for lost ones. Default: 1. */
  readonly spareBlocks?: number | undefined;
  /** A worker that is silent for so long is lost, ms. Default: 60 000. */
  readonly lostAfterMs?: number | undefined;
}

const defaultLostAfterMs = 60_000;
const pollMs = 500;
/** So often leases are put into the queue again that it may have forgotten. */
const refillMs = 5_000;

/** Has workers run a plan, and makes one run of what they leave. @throws H2h3Error as `run` */
export async function coordinate(options: CoordinateOptions, context: AppContext): Promise<FinishedRun> {
  const { source, flags = {}, plan = {}, out, spareBlocks = 1, lostAfterMs = defaultLostAfterMs } = options;
  const queues = await openLeaseQueues(options.workers, (line) => context.progress.say(line));
  try {
    const own = await loadOwnWorkloads(context);
    const read = readPlanRequest(source, flags, own, plan);
    const queue: PlanQueue = { runId: randomUUID(), spareBlocks, lostAfterMs };
    const namesNetwork = flags.network !== undefined || plan.networks !== undefined;
    const request = { source, read, own, namesNetwork, out, queue };
    const { directory } = await openNewRun(request, await setupContextOf(context), context);
    return await carryOut(directory, queues, options, context);
  } finally {
    await queues.close();
  }
}

/** Goes on with a run of workers whose coordinator was ended or killed. @throws H2h3Error as `run` */
export async function coordinateAgain(
  path: string,
  place: MeetingPlace,
  context: AppContext,
): Promise<FinishedRun> {
  const directory = openRunDirectory(path);
  const queues = await openLeaseQueues(place.workers, (line) => context.progress.say(line));
  try {
    return await carryOut(directory, queues, place, context);
  } finally {
    await queues.close();
  }
}

async function carryOut(
  directory: RunDirectory,
  queues: LeaseQueues,
  place: MeetingPlace,
  context: AppContext,
): Promise<FinishedRun> {
  const { queue } = directory.plan;
  if (queue === undefined)
    throw new H2h3Error('usage', `${directory.path} is not run by workers`, {
      next: 'Leave --workers and --results out.',
    });
  const releaseFolder = lockRunDirectory(directory.path, process.pid);
  try {
    const releaseRun = await queues.hold(`coordinator:${queue.runId}`, 'another coordinator of this run');
    try {
      await shareOut(directory, queue, { queues, place, context });
    } finally {
      await releaseRun();
    }
  } finally {
    releaseFolder();
  }
  return publishRun(directory, context);
}

interface Means {
  readonly queues: LeaseQueues;
  readonly place: MeetingPlace;
  readonly context: AppContext;
}

/** Puts leases into the queue and takes in what comes of them, until none is left. */
async function shareOut(
  directory: RunDirectory,
  { runId, lostAfterMs }: PlanQueue,
  { queues, place, context }: Means,
): Promise<void> {
  const store = await openResultsStore(place.results);
  const results = leaseResults(store, runId);
  const queue = await queues.coordinate(runId, lostAfterMs);
  try {
    await results.publishPlan(directory.plan);
    await queues.announce(runId, versionWords(context.projectDir));
    const intake = new Intake(directory, results);
    await untilSettled(intake, queue, context, givenPath(directory.path));
    intake.closeIdle();
    const environments = await results.environments();
    const environment = mergedEnvironment(
      environments.map((one, index) => ({ name: one.host ?? `host ${index + 1}`, environment: one })),
    );
    if (environment !== null) directory.writeEnvironment(environment);
    await offerTables(directory.path, runId, store, context);
    await queues.withdraw(runId);
    await queue.end();
  } finally {
    await queue.close();
    store.close();
  }
}

/** Nothing else of a run needs DuckDB, so that a machine without it coordinates all the same. */
async function offerTables(
  runDir: string,
  runId: string,
  store: ResultsStore,
  { progress }: AppContext,
): Promise<void> {
  try {
    const keys = await publishTables(runDir, runId, store);
    progress.say(`tables in ${store.place}: ${keys.join(', ')}`);
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'unsupported') throw thrown;
    progress.say(`no tables in ${store.place}: ${thrown.message}`);
  }
}

async function untilSettled(
  intake: Intake,
  queue: CoordinatorQueue,
  { progress, signal }: AppContext,
  place: string,
): Promise<void> {
  let refilledAtMs = -Infinity;
  for (;;) {
    for (const ended of await queue.ended()) {
      await intake.take(ended);
      await queue.forget(ended.leaseId);
      // A lost one may have called up a spare one.
      if (ended.lost !== undefined) refilledAtMs = -Infinity;
    }
    const active = await queue.active();
    for (const leaseId of active) await intake.bring(leaseId);
    const { needed, open, lost } = intake.standing();
    if (open.length === 0) return;
    progress.show(
      `${needed.length - open.length} of ${needed.length} leases done, ${active.length} under way${lost === 0 ? '' : `, ${lost} lost`}`,
    );
    if (performance.now() - refilledAtMs > refillMs) {
      await queue.add(open.map(({ leaseId }) => leaseId));
      refilledAtMs = performance.now();
    }
    if (signal.aborted) {
      progress.say(
        `stopped; workers go on with what they have. Go on with:  npx h2h3 run --resume ${shellWord(place)} --workers … --results …`,
      );
      throw new H2h3Error('interrupted', 'the coordinator was asked to stop');
    }
    await sleep(pollMs);
  }
}

/** What a run's journal knows of its leases, and what is still to come. */
class Intake {
  readonly #directory: RunDirectory;
  readonly #results: LeaseResults;
  readonly #records: Map<string, TrialRecord>;
  /** By id, spare ones too. */
  readonly #leases: ReadonlyMap<string, Lease>;

  constructor(directory: RunDirectory, results: LeaseResults) {
    this.#directory = directory;
    this.#results = results;
    this.#records = new Map(directory.journal().records.map((record) => [record.trialId, record]));
    this.#leases = new Map(leasesOf(directory.plan).map((lease) => [lease.leaseId, lease]));
  }

  #needed(): NeededLeases {
    return neededLeases([...this.#leases.values()], this.#directory.plan.repetitions, this.#records);
  }

  /** Leases that have to be run, those of them of which a trial has no record yet, and how many of them were lost. */
  standing(): { readonly needed: readonly Lease[]; readonly open: readonly Lease[]; readonly lost: number } {
    const { needed } = this.#needed();
    const open = needed.filter((lease) => this.#missing(lease).length > 0);
    return { needed, open, lost: lostLeases(needed, this.#records).size };
  }

  /** Journals what a lease has left so far. */
  async bring(leaseId: string): Promise<void> {
    if (!this.#leases.has(leaseId)) return;
    const has = (trialId: string): boolean => this.#records.has(trialId);
    for (const record of await this.#results.bring(leaseId, this.#directory, has)) this.#append(record);
  }

  /** Journals a lease that is over; what it has no record of was not run. */
  async take({ leaseId, lost }: EndedLease): Promise<void> {
    const lease = this.#leases.get(leaseId);
    if (lease === undefined) return;
    await this.bring(leaseId);
    const host = (await this.#results.claimedBy(leaseId)) ?? undefined;
    const reason = `${lostLease}${lostWords(lost, host)}`;
    for (const trial of this.#missing(lease)) this.#append(notRun(trial, reason, host));
  }

  /** Spare leases that were not needed. */
  closeIdle(): void {
    for (const lease of this.#needed().idle)
      for (const trial of this.#missing(lease))
        this.#append(notRun(trial, 'spare block, not needed', undefined));
  }

  #missing({ trials }: Lease): PlannedTrial[] {
    return trials.filter(({ trialId }) => !this.#records.has(trialId));
  }

  #append(record: TrialRecord): void {
    this.#directory.append(record);
    this.#records.set(record.trialId, record);
  }
}

/** BullMQ speaks of jobs whose lock ran out as stalled. */
function lostWords(lost: string | undefined, host: string | undefined): string {
  const where = host === undefined ? 'its worker' : `the worker ${host}`;
  if (lost === undefined) return `${where} left it without a record`;
  return /stalled/.test(lost) ? `${where} fell silent` : `${where} gave it up: ${lost}`;
}
