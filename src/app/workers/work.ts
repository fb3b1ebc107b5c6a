import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { leasesOf } from '../../core/model/lease.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { withoutSecrets } from '../../core/model/secrets.ts';
import type { PlanQueue } from '../../core/model/shard.ts';
import { systemError } from '../../core/model/system-error.ts';
import { leaseResults, type LeaseResults } from '../../store/results/lease-results.ts';
import { openResultsStore } from '../../store/results/open-results-store.ts';
import { createRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import type { AppContext } from '../app-context.ts';
import { requireHostsAlike } from '../merge/hosts-alike.ts';
import { secretsOfRun } from '../pack/secrets-of-run.ts';
import { trustedPlan, type AskTrust } from '../plan/trusted-plan.ts';
import { openResumedRun } from '../run/open-run.ts';
import { measureRun } from '../run/run.ts';
import type { SharedLease, SharedRun } from '../run/shared-run.ts';
import { versionWords } from '../version.ts';
import { isExpired, isUsable, type Announcement, type UnusableAnnouncement } from './announcement.ts';
import { localFolder, removeLeftOver } from './local-folders.ts';
import { openLeaseQueues, type LeaseJob, type LeaseQueues } from './lease-queue.ts';
import { meetingPlaceOf, type MeetingPlace } from './meeting-place.ts';

export interface PendingRunOptions extends MeetingPlace {
  /** What records call this machine. Default: its own name. */
  readonly host?: string | undefined;
  /** Port of the server, TCP and UDP. Default: 8443 or the next free one. */
  readonly port?: number | undefined;
  /** Asked before each thing that a plan would start, read or reach. Default: such a run is left alone. */
  readonly trust?: AskTrust | undefined;
}

const pollMs = 500;

/**
 * Takes part in the next run that is announced, until it is over. Returns how many leases were run here.
 *
 * @throws H2h3Error `bad-input` for a host that is unlike those of the run or results that cannot be read, `interrupted` when
 *   asked to stop
 */
export async function work(options: PendingRunOptions, context: AppContext): Promise<number> {
  const { host = hostname() } = options;
  const { progress } = context;
  const place = meetingPlaceOf(options, context);
  const queues = await openLeaseQueues(place.workers, (line) => progress.say(line));
  try {
    const release = await queues.hold(`host:${host}`, `a worker called ${host}`);
    try {
      removeLeftOver(host);
      const store = await openResultsStore(place.results);
      try {
        const run = await nextRun(
          queues,
          { host, results: (runId) => leaseResults(store, runId, place.key), trust: options.trust },
          context,
        );
        return await takePart(run, queues, { host, port: options.port }, context).catch((thrown: unknown) =>
          leaveWord(thrown, run, { host, queues }, context),
        );
      } finally {
        store.close();
      }
    } finally {
      await release();
    }
  } finally {
    await queues.close();
  }
}

/** A run in which this machine can take part. */
interface OpenRun {
  readonly runId: string;
  readonly plan: Plan;
  readonly queue: PlanQueue;
  readonly results: LeaseResults;
}

interface Host {
  readonly host: string;
  readonly results: (runId: string) => LeaseResults;
  readonly trust: AskTrust | undefined;
}

/** A run that could not be used is looked at again after this time: its plan may have come meanwhile. */
const remeasureEveryMs = 10_000;

/**
 * The first run that can be used. Whatever else is announced is named once and left alone: an announcement that stayed behind, or
 * that somebody else wrote, keeps no worker from its work. One that has expired is removed.
 */
async function nextRun(
  queues: LeaseQueues,
  host: Host,
  { progress, projectDir, signal }: AppContext,
): Promise<OpenRun> {
  const left = new Map<string, { readonly why: string; readonly atMs: number }>();
  const isUnknown = (runId: string, why: string): boolean => left.get(runId)?.why !== why;
  const leave = (runId: string, why: string): void => {
    if (isUnknown(runId, why)) progress.say(`the run ${runId} is left alone: ${why}`);
    left.set(runId, { why, atMs: performance.now() });
  };
  for (;;) {
    for (const announcement of await coordinatedFirst(queues)) {
      const { runId } = announcement;
      if (performance.now() - (left.get(runId)?.atMs ?? -Infinity) < remeasureEveryMs) continue;
      if (!isUsable(announcement)) leave(runId, announcement.reason);
      else if (isExpired(announcement, Date.now())) {
        progress.say(`the run ${runId} is forgotten: its coordinator was silent for more than a day`);
        await queues.remove(runId);
      } else {
        const run = await openRun(announcement, queues, host, versionWords(projectDir));
        if (typeof run !== 'string') return run;
        if (isUnknown(runId, run)) await queues.refuse(runId, host.host, run);
        leave(runId, run);
      }
    }
    progress.show('waiting for a run');
    if (signal.aborted) throw new H2h3Error('interrupted', 'the worker was asked to stop');
    await sleep(pollMs);
  }
}

/** What is announced, runs whose coordinator is at work first: one whose coordinator is gone keeps no worker from them. */
async function coordinatedFirst(
  queues: LeaseQueues,
): Promise<readonly (Announcement | UnusableAnnouncement)[]> {
  const all = await queues.announcements();
  const held = await Promise.all(all.map(({ runId }) => queues.isHeld(`coordinator:${runId}`)));
  return [...all.filter((_, index) => held[index]), ...all.filter((_, index) => !held[index])];
}

/** A run, or why it cannot be used here. */
async function openRun(
  { runId, version }: Announcement,
  queues: LeaseQueues,
  { host, results: resultsOf, trust }: Host,
  ours: string,
): Promise<OpenRun | string> {
  if (version !== ours)
    return `it is of h2h3 ${version}, and this is h2h3 ${ours}. Install the same version on all machines of a run.`;
  const results = resultsOf(runId);
  try {
    const plan = await results.plan();
    if (plan?.queue?.runId !== runId)
      return 'the results have no plan of it. Give worker and coordinator the same --results.';
    await trustedPlan(plan, `the run ${runId}`, trust);
    // What other hosts left is asked for later: here it shows whether it can be read.
    await results.sharedEnvironment();
    await results.joined(host);
    await queues.leaseCounts(runId);
    return { runId, plan, queue: plan.queue, results };
  } catch (thrown) {
    const fault = thrown instanceof H2h3Error ? thrown : systemError(thrown);
    if (fault === undefined || !['bad-input', 'usage'].includes(fault.code)) throw thrown;
    return [fault.message, fault.next].filter((part) => part !== undefined).join('. ');
  }
}

async function takePart(
  { runId, plan, queue, results }: OpenRun,
  queues: LeaseQueues,
  { host, port }: { readonly host: string; readonly port: number | undefined },
  context: AppContext,
): Promise<number> {
  const directory = createRunDirectory(localFolder(runId, host), plan, { latest: false });
  const line = new LeaseLine(plan, directory, { results, host });
  const worker = queues.work(runId, queue.lostAfterMs, (lease) => line.run(lease));
  try {
    const shared = line.shared(
      () => worker.begin(),
      () => isOver(runId, queues, context),
    );
    await execute(directory, { host, port, shared }, context);
    return line.count;
  } finally {
    line.stop();
    await worker.close();
    // All of it is in the store.
    rmSync(directory.path, { recursive: true, force: true });
  }
}

/** The coordinator waits for whoever comes, so it says why this host does not. @throws what was thrown */
async function leaveWord(
  thrown: unknown,
  { runId, plan }: OpenRun,
  { host, queues }: { readonly host: string; readonly queues: LeaseQueues },
  { environment }: AppContext,
): Promise<never> {
  if (!(thrown instanceof H2h3Error && thrown.code === 'interrupted')) {
    const secrets = secretsOfRun(plan, environment).secrets.map(({ value }) => value);
    await queues.refuse(runId, host, withoutSecrets(messageOf(thrown), secrets)).catch(() => undefined); // what was thrown is what counts
  }
  throw thrown;
}

async function isOver(runId: string, queues: LeaseQueues, { signal }: AppContext): Promise<boolean> {
  if (signal.aborted) throw new H2h3Error('interrupted', 'the worker was asked to stop');
  return !(await queues.isAnnounced(runId));
}

async function execute(
  directory: RunDirectory,
  {
    host,
    port,
    shared,
  }: { readonly host: string; readonly port: number | undefined; readonly shared: SharedRun },
  context: AppContext,
): Promise<void> {
  const opened = await openResumedRun(directory.path, undefined, context);
  // The coordinator publishes what all hosts measured.
  const publish = (): Promise<void> => Promise.resolve();
  await measureRun(opened, { port, host, shared, publish, resumedBy: null }, context);
}

interface Store {
  readonly results: LeaseResults;
  readonly host: string;
}

/** Hands leases from the queue, which gives them, to the run, which asks for them. */
export class LeaseLine {
  readonly #trials: ReadonlyMap<string, readonly PlannedTrial[]>;
  readonly #directory: RunDirectory;
  readonly #store: Store;
  #waiting: SharedLease | null = null;
  #stopped = false;
  #count = 0;

  constructor(plan: Plan, directory: RunDirectory, store: Store) {
    this.#trials = new Map(leasesOf(plan).map(({ leaseId, trials }) => [leaseId, trials]));
    this.#directory = directory;
    this.#store = store;
  }

  get count(): number {
    return this.#count;
  }

  /** @param begin has the queue give leases @param over whether the run is */
  shared(begin: () => void, over: () => Promise<boolean>): SharedRun {
    const { results, host } = this.#store;
    return {
      joinedBefore: () => results.joined(host),
      join: async (environment) => {
        const first = await results.firstEnvironment(environment);
        requireHostsAlike(
          { name: first.host ?? 'the first host', environment: first },
          { name: host, environment },
        );
        await results.joinHost(host, environment);
        begin();
      },
      next: async () => {
        for (;;) {
          const lease = this.#waiting;
          this.#waiting = null;
          if (lease !== null) return lease;
          if (await over()) return null;
          await sleep(pollMs);
        }
      },
    };
  }

  /** Resolves when the lease was run to its end. @throws what kept it from that */
  async run(job: LeaseJob): Promise<void> {
    const { results, host } = this.#store;
    const trials = this.#trials.get(job.leaseId);
    if (trials === undefined) throw new Error(`the plan has no lease ${job.leaseId}`);
    this.#requireNotStopped();
    const before = await results.claim(job.leaseId, host);
    if (before !== null) throw new Error(`it was begun on ${before} before`);
    // It may have been stopped meanwhile: nobody would ever ask for the lease, and the queue would wait for its end.
    this.#requireNotStopped();
    let done = 0;
    await new Promise<void>((resolve, reject) => {
      this.#waiting = {
        trials,
        keep: async (record) => {
          if (job.isTakenAway())
            throw new H2h3Error(
              'deadline',
              `the queue took lease ${job.leaseId} away: it heard nothing for too long`,
              {
                next: 'What was measured until then is kept. Start the worker again.',
              },
            );
          const folder = this.#directory.trialDir(record.trialId);
          await results.keep(job.leaseId, record, folder);
          rmSync(folder, { recursive: true, force: true });
          await job.tell(`${record.trialId} ${record.status}`, ++done, trials.length);
        },
        end: (fault) => {
          this.#count++;
          if (fault === undefined) resolve();
          else reject(new Error(messageOf(fault)));
        },
      };
    });
  }

  #requireNotStopped(): void {
    if (this.#stopped) throw new Error('the worker was ending');
  }

  /** No further lease is taken; one that waits is given back as lost. */
  stop(): void {
    this.#stopped = true;
    this.#waiting?.end(new Error('the worker was ending'));
    this.#waiting = null;
  }
}
