import { existsSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, messageOf } from '../../model/errors.ts';
import { leasesOf } from '../../model/lease.ts';
import type { Plan, PlannedTrial } from '../../model/plan.ts';
import { leaseResults, type LeaseResults } from '../../store/results/lease-results.ts';
import { openResultsStore } from '../../store/results/open-results-store.ts';
import { createRunDirectory, type RunDirectory } from '../../store/run-directory.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { requireHostsAlike } from '../merge/hosts-alike.ts';
import { loadOwnWorkloads } from '../plan/own-workloads.ts';
import { executeRun, type SharedLease, type SharedRun } from '../run/execute-run.ts';
import { noiseOfMachine } from '../run/noise-of-machine.ts';
import { ffmpegVersion, openResumedRun } from '../run/open-run.ts';
import { versionWords } from '../version.ts';
import type { MeetingPlace } from './coordinate.ts';
import { openLeaseQueues, type LeaseJob, type LeaseQueues } from './lease-queue.ts';

export interface WorkOptions extends MeetingPlace {
  /** What records call this machine. Default: its own name. */
  readonly host?: string | undefined;
  /** Port of the server, TCP and UDP. Default: 8443 or the next free one. */
  readonly port?: number | undefined;
}

const pollMs = 500;

/**
 * Takes part in the next run that is announced, until it is over. Returns how many leases were run here.
 *
 * @throws H2h3Error `bad-input` for a host that is unlike those of the run, `interrupted` when asked to stop
 */
export async function work(options: WorkOptions, context: AppContext): Promise<number> {
  const { host = hostname() } = options;
  const { progress } = context;
  const queues = await openLeaseQueues(options.workers, (line) => progress.say(line));
  try {
    const release = await queues.hold(`host:${host}`, `a worker called ${host}`);
    try {
      removeLeftOver(host);
      const runId = await nextRun(queues, context);
      return await takePart(runId, queues, { ...options, host }, context);
    } finally {
      await release();
    }
  } finally {
    await queues.close();
  }
}

/** @throws H2h3Error `bad-input` for a run of another version of h2h3 */
async function nextRun(queues: LeaseQueues, { progress, projectDir, signal }: AppContext): Promise<string> {
  for (;;) {
    const [first] = await queues.runs();
    if (first !== undefined) {
      const [runId, theirs] = first;
      const ours = versionWords(projectDir);
      if (theirs === ours) return runId;
      throw new H2h3Error('bad-input', `the run is of h2h3 ${theirs}, and this is h2h3 ${ours}`, {
        next: 'Install the same version on all machines of a run.',
      });
    }
    progress.show('waiting for a run');
    if (signal.aborted) throw new H2h3Error('interrupted', 'the worker was asked to stop');
    await sleep(pollMs);
  }
}

async function takePart(
  runId: string,
  queues: LeaseQueues,
  { host, port, results: place }: WorkOptions & { readonly host: string },
  context: AppContext,
): Promise<number> {
  const store = await openResultsStore(place);
  try {
    const results = leaseResults(store, runId);
    const plan = await results.plan();
    if (plan?.queue === undefined)
      throw new H2h3Error('bad-input', `${place} has no plan of the run that the queue names`, {
        next: 'Give worker and coordinator the same --results.',
      });
    const directory = createRunDirectory(localFolder(runId, host), plan, { latest: false });
    const line = new LeaseLine(plan, directory, { results, host });
    const worker = queues.work(runId, plan.queue.lostAfterMs, (lease) => line.run(lease));
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
  } finally {
    store.close();
  }
}

const localFolders = join('results', 'workers');

/** One for each start, so that a worker that was killed keeps no other from its work. */
function localFolder(runId: string, host: string): string {
  return join(localFolders, `${runId.slice(0, 8)}-${encodeURIComponent(host)}-${process.pid}-${Date.now()}`);
}

/** What killed workers of this host left here: what they measured is in the results folder, and no other has the name now. */
function removeLeftOver(host: string): void {
  if (!existsSync(localFolders)) return;
  for (const name of readdirSync(localFolders)) {
    const [, owner] = /^[0-9a-f]{8}-(.*)-\d+-\d+$/.exec(name) ?? [];
    if (owner === encodeURIComponent(host))
      rmSync(join(localFolders, name), { recursive: true, force: true });
  }
}

async function isOver(runId: string, queues: LeaseQueues, { signal }: AppContext): Promise<boolean> {
  if (signal.aborted) throw new H2h3Error('interrupted', 'the worker was asked to stop');
  return !(await queues.runs()).has(runId);
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
  const setup = await setupContextOf(context);
  const opened = await openResumedRun(directory.path, setup, await loadOwnWorkloads(context), context);
  const warnings = [...opened.warnings, ...(await noiseOfMachine(context))];
  const ffmpeg = await ffmpegVersion(opened.workloads, setup);
  const own = { setup, port, host, ffmpeg, warnings, shared, headed: false, budgetMs: undefined };
  await executeRun({ ...opened, ...own }, context);
}

interface Store {
  readonly results: LeaseResults;
  readonly host: string;
}

/** Hands leases from the queue, which gives them, to the run, which asks for them. */
class LeaseLine {
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
    if (this.#stopped) throw new Error('the worker was ending');
    const before = await results.claim(job.leaseId, host);
    if (before !== null) throw new Error(`it was begun on ${before} before`);
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

  /** No further lease is taken; one that waits is given back as lost. */
  stop(): void {
    this.#stopped = true;
    this.#waiting?.end(new Error('the worker was ending'));
    this.#waiting = null;
  }
}
