import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error } from '../../core/model/errors.ts';
import { leasesOf, type Lease } from '../../core/model/lease.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { PlanQueue } from '../../core/model/shard.ts';
import { leaseResults, type LeaseResults } from '../../store/results/lease-results.ts';
import { openResultsStore } from '../../store/results/open-results-store.ts';
import type { ResultsStore } from '../../store/results/results-store.ts';
import { openRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { lockRunDirectory } from '../../store/run-lock.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { formatDuration } from '../duration.ts';
import { givenPath } from '../given-path.ts';
import { mergedEnvironment } from '../merge/merged-environment.ts';
import { thisMachine } from '../preflight/machine-facts.ts';
import { notRun } from '../run/finish-trial.ts';
import { openNewRun } from '../run/open-run.ts';
import { publishRun, type FinishedRun } from '../run/publish-run.ts';
import type { RunOptions } from '../run/run.ts';
import { shellWord } from '../../core/model/command-words.ts';
import { versionWords } from '../version.ts';
import { openLeaseQueues, type CoordinatorQueue, type EndedLease, type LeaseQueues } from './lease-queue.ts';
import { meetingPlaceOf, type MeetingPlace } from './meeting-place.ts';
import { reasonOf } from '../../core/model/reasons.ts';
import { lostLease, lostLeases, neededLeases, type NeededLeases } from './needed-leases.ts';
import { publishTables } from './publish-tables.ts';

export interface CoordinateOptions extends Pick<RunOptions, 'request' | 'out' | 'strict'>, MeetingPlace {
  /** Blocks settled beforehand whose leases stand in for lost ones. Default: 1. */
  readonly spareBlocks?: number | undefined;
  /** A worker that is silent for so long is lost, ms. Default: 60 000. */
  readonly lostAfterMs?: number | undefined;
}

const defaultLostAfterMs = 60_000;
const pollMs = 500;
/** So often the run is announced and leases are put into the queue again: it may have forgotten them. */
const refillMs = 5_000;
const firstIdleMs = 60_000;

/** Has workers run a plan, and makes one run of what they leave. @throws H2h3Error as `run` */
export async function coordinate(options: CoordinateOptions, context: AppContext): Promise<FinishedRun> {
  const { request, out, strict, spareBlocks = 1, lostAfterMs = defaultLostAfterMs } = options;
  return atMeetingPlace(options, context, async (means) => {
    const queue: PlanQueue = { runId: randomUUID(), spareBlocks, lostAfterMs };
    const machine = thisMachine(await setupContextOf(context));
    const { directory } = await openNewRun(
      { ...request, queue, strict, budgetMs: undefined },
      out,
      machine,
      context,
    );
    return carryOut(directory, means, strict);
  });
}

/** Resumes a run of workers whose coordinator was ended or killed. @throws H2h3Error as `run` */
export async function coordinateAgain(
  path: string,
  place: MeetingPlace & Pick<CoordinateOptions, 'strict'>,
  context: AppContext,
): Promise<FinishedRun> {
  const directory = openRunDirectory(path);
  return atMeetingPlace(place, context, (means) => carryOut(directory, means, place.strict));
}

interface Means {
  readonly queues: LeaseQueues;
  readonly store: ResultsStore;
  readonly key: string;
  readonly context: AppContext;
}

/** Opens queue and results before anything is made, and lets go of them. */
async function atMeetingPlace<T>(
  given: MeetingPlace,
  context: AppContext,
  act: (means: Means) => Promise<T>,
): Promise<T> {
  const place = meetingPlaceOf(given, context);
  const queues = await openLeaseQueues(place.workers, (line) => context.progress.say(line));
  try {
    const store = await openResultsStore(place.results);
    try {
      return await act({ queues, store, key: place.key, context });
    } finally {
      store.close();
    }
  } finally {
    await queues.close();
  }
}

async function carryOut(
  directory: RunDirectory,
  means: Means,
  strict: boolean | undefined,
): Promise<FinishedRun> {
  const { queues, context } = means;
  const { queue } = directory.plan;
  if (queue === undefined)
    throw new H2h3Error('usage', `${directory.path} is not run by workers`, {
      next: 'Leave --workers and --results out.',
    });
  const releaseFolder = lockRunDirectory(directory.path, process.pid);
  try {
    const releaseRun = await queues.hold(`coordinator:${queue.runId}`, 'another coordinator of this run');
    try {
      await shareOut(directory, queue, means);
    } finally {
      await releaseRun();
    }
  } finally {
    releaseFolder();
  }
  return publishRun(directory, context, strict);
}

/** Puts leases into the queue and takes in what comes of them, until none is left. */
async function shareOut(
  directory: RunDirectory,
  { runId, lostAfterMs }: PlanQueue,
  { queues, store, key, context }: Means,
): Promise<void> {
  const results = leaseResults(store, runId, key);
  const queue = await queues.coordinate(runId, lostAfterMs);
  try {
    await results.publishPlan(directory.plan);
    const say = (line: string): void => context.progress.say(line);
    const intake = new Intake(directory, results, say);
    const told = new Map<string, string>();
    const announce = async (): Promise<void> => {
      await queues.announce(runId, versionWords(context.projectDir));
      for (const [host, why] of await queues.refusals(runId)) {
        if (told.get(host) !== why) say(`the host ${host} takes no part: ${why}`);
        told.set(host, why);
      }
    };
    await untilSettled(intake, { queue, announce }, context, givenPath(directory.path));
    intake.closeIdle();
    const environments = await results.environments((why) => say(`warning: ${why}`));
    const environment = mergedEnvironment(
      environments.map((environment, index) => ({
        name: environment.host ?? `host ${index + 1}`,
        environment: environment,
      })),
    );
    if (environment !== null) directory.writeEnvironment(environment);
    await offerTables(directory.path, runId, store, context);
    await queues.withdraw(runId);
    await queue.end();
  } finally {
    await queue.close();
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
  { queue, announce }: { readonly queue: CoordinatorQueue; readonly announce: () => Promise<void> },
  { progress, signal }: AppContext,
  place: string,
): Promise<void> {
  let refilledAtMs = -Infinity;
  const tellIdle = idleTeller((line) => progress.say(line));
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
    tellIdle(active.length);
    if (performance.now() - refilledAtMs > refillMs) {
      await announce();
      await queue.add(open.map(({ leaseId }) => leaseId));
      refilledAtMs = performance.now();
    }
    if (signal.aborted) {
      progress.say(
        `stopped; workers continue. Continue with:  npx h2h3 run --resume ${shellWord(place)} --workers … --results …`,
      );
      throw new H2h3Error('interrupted', 'the coordinator was asked to stop');
    }
    await sleep(pollMs);
  }
}

/** Says that no worker runs a lease, first after a minute and then each time after twice as long. */
export function idleTeller(
  say: (line: string) => void,
  nowMs: () => number = () => performance.now(),
): (active: number) => void {
  let busyAtMs = nowMs();
  let saidAfterMs = firstIdleMs;
  return (active) => {
    const idleMs = nowMs() - busyAtMs;
    if (active > 0) {
      busyAtMs = nowMs();
      saidAfterMs = firstIdleMs;
    } else if (idleMs >= saidAfterMs) {
      say(
        `no worker has run a lease for ${formatDuration(idleMs)}. Start one:  npx h2h3 worker … --results …`,
      );
      saidAfterMs *= 2;
    }
  };
}

/** What a run's journal knows of its leases, and what is still to come. */
class Intake {
  readonly #directory: RunDirectory;
  readonly #results: LeaseResults;
  readonly #records: Map<string, TrialRecord>;
  /** By id, spare ones too. */
  readonly #leases: ReadonlyMap<string, Lease>;
  /** Trials of which something was found that cannot be used; each was said. */
  readonly #unusable = new Set<string>();
  readonly #say: (line: string) => void;

  constructor(directory: RunDirectory, results: LeaseResults, say: (line: string) => void) {
    this.#directory = directory;
    this.#results = results;
    this.#say = say;
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
    const lease = this.#leases.get(leaseId);
    if (lease === undefined) return;
    const wanted = new Set(this.#missing(lease).map(({ trialId }) => trialId));
    const { records, unusable } = await this.#results.bring(leaseId, this.#directory, wanted);
    records.forEach((record) => this.#append(record));
    for (const [trialId, why] of unusable) {
      if (!this.#unusable.has(trialId)) this.#say(`warning: ${trialId} is not taken: ${why}`);
      this.#unusable.add(trialId);
    }
  }

  /** Journals a lease that is over; what it has no record of was not run. */
  async take({ leaseId, lost }: EndedLease): Promise<void> {
    const lease = this.#leases.get(leaseId);
    if (lease === undefined) return;
    await this.bring(leaseId);
    const host = (await this.#results.claimedBy(leaseId)) ?? undefined;
    for (const trial of this.#missing(lease)) {
      const why = this.#unusable.has(trial.trialId)
        ? 'what its worker left of it cannot be used'
        : lostWords(lost, host);
      this.#append(notRun(trial, lostLease(why), host));
    }
  }

  /** Spare leases that were not needed. */
  closeIdle(): void {
    for (const lease of this.#needed().idle)
      for (const trial of this.#missing(lease))
        this.#append(notRun(trial, reasonOf('spare-block'), undefined));
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
