import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { H2h3Error } from '../../core/model/errors.ts';
import {
  announcementText,
  isExpired,
  isRunId,
  isUsable,
  readAnnouncement,
  type Announcement,
  type UnusableAnnouncement,
} from './announcement.ts';
import { connectToQueue } from './queue-connection.ts';
import { isRefusal, ofOurs, readRefusals } from './queue-refusals.ts';

/** A coordinator or a host that was killed lets go of its name after this time. */
const holdMs = 10_000;
const announced = 'h2h3:runs';
const refusedOf = (runId: string): string => `h2h3:refused:${runId}`;
/** As long as an announcement. */
const refusalSeconds = 86_400;

/** A connection to Redis or Valkey on which hosts share runs. */
export interface LeaseQueues {
  /** Runs that wait for workers, the first announced first, and what else stands among them. */
  announcements(): Promise<readonly (Announcement | UnusableAnnouncement)[]>;
  /** Whether a coordinator wants the run to go on; of one that was silent for a day nobody does. */
  isAnnounced(runId: string): Promise<boolean>;
  /** To be said again and again while the run goes on: an announcement that is a day old has expired. */
  announce(runId: string, version: string): Promise<void>;
  withdraw(runId: string): Promise<void>;
  /** Leaves word for the coordinator why a host takes no part in its run. */
  refuse(runId: string, host: string, why: string): Promise<void>;
  /** Why hosts take no part in a run, by their names. */
  refusals(runId: string): Promise<ReadonlyMap<string, string>>;
  /** Withdraws a run whose coordinator is gone, with what its queue still holds; what is not of h2h3 there stays, and is said. */
  remove(runId: string): Promise<void>;
  /** How many leases of a run wait, are under way, and are over without having been taken in. */
  leaseCounts(runId: string): Promise<LeaseCounts>;
  /** Whether some process has taken this name. */
  isHeld(name: string): Promise<boolean>;
  /** Takes a name that one process may have at a time; returns its release. @throws H2h3Error `usage` where another has it */
  hold(name: string, what: string): Promise<() => Promise<void>>;
  coordinate(runId: string, lostAfterMs: number): Promise<CoordinatorQueue>;
  work(runId: string, lostAfterMs: number, run: (lease: LeaseJob) => Promise<void>): LeaseWorker;
  close(): Promise<void>;
}

export interface LeaseCounts {
  readonly waiting: number;
  readonly active: number;
  readonly ended: number;
}

/** Leases of one run as its coordinator sees them. */
export interface CoordinatorQueue {
  /** Puts leases in the queue that are not there yet. */
  add(leaseIds: readonly string[]): Promise<void>;
  /** Leases that somebody runs now. */
  active(): Promise<string[]>;
  /** Leases that are done or lost since they were last forgotten; of lost ones with the reason. */
  ended(): Promise<EndedLease[]>;
  forget(leaseId: string): Promise<void>;
  /** Takes the queue away: the run is over. */
  end(): Promise<void>;
  /** Lets go of it; workers go on. */
  close(): Promise<void>;
}

export interface EndedLease {
  readonly leaseId: string;
  /** Absent: it was run to its end. */
  readonly lost?: string;
}

export interface LeaseJob {
  readonly leaseId: string;
  /** How far it is, for users who look at the queue. */
  tell(line: string, done: number, total: number): Promise<void>;
  /** Whether the queue took the lease away because it heard nothing for too long. */
  isTakenAway(): boolean;
}

export interface LeaseWorker {
  begin(): void;
  close(): Promise<void>;
}

/**
 * Connects.
 *
 * @param url such as `redis://user:password@host:6379/0`
 * @throws H2h3Error `unsupported` when nothing answers, `usage` when the password is wrong, `bad-input` for clocks apart
 */
export async function openLeaseQueues(url: string, say: (line: string) => void): Promise<LeaseQueues> {
  const { bullmq, client, shown } = await connectToQueue(url, say);
  const quiet = (): void => undefined; // the connection itself is watched, and each command waits for it
  const nameOf = (runId: string): string => `h2h3-${runId}`;
  const queueOf = (runId: string): Queue<unknown> => {
    const queue = new bullmq.Queue<unknown>(nameOf(runId), { connection: client });
    queue.on('error', quiet);
    return queue;
  };
  const withdraw = async (runId: string): Promise<void> => {
    await ofOurs(client.hdel(announced, runId), announced);
    await client.del(refusedOf(runId));
  };
  return {
    announcements: async () =>
      Object.entries(await ofOurs(client.hgetall(announced), announced)).map(([runId, text]) =>
        readAnnouncement(runId, text),
      ),
    isAnnounced: async (runId) => {
      const text = await ofOurs(client.hget(announced, runId), announced);
      const announcement = text === null ? null : readAnnouncement(runId, text);
      return announcement !== null && isUsable(announcement) && !isExpired(announcement, Date.now());
    },
    announce: async (runId, version) => {
      const text = announcementText({ version, renewedEpochMs: Date.now() });
      await ofOurs(client.hset(announced, runId, text), announced);
    },
    withdraw,
    refuse: async (runId, host, why) => {
      const key = refusedOf(runId);
      await ofOurs(client.hset(key, host, why), key);
      await client.expire(key, refusalSeconds);
    },
    refusals: async (runId) => {
      const key = refusedOf(runId);
      return readRefusals(await ofOurs(client.hgetall(key), key));
    },
    remove: async (runId) => {
      await withdraw(runId);
      if (!isRunId(runId)) return;
      try {
        await asked(queueOf(runId), (queue) => queue.obliterate({ force: true }));
      } catch (thrown) {
        if (!(thrown instanceof H2h3Error)) throw thrown;
        say(`warning: ${thrown.message}. ${thrown.next ?? ''}`);
      }
    },
    leaseCounts: (runId) =>
      asked(queueOf(runId), async (queue) => {
        const counts = await queue.getJobCounts('waiting', 'active', 'completed', 'failed');
        const { waiting = 0, active = 0, completed = 0, failed = 0 } = counts;
        return { waiting, active, ended: completed + failed };
      }),
    isHeld: async (name) => (await client.exists(`h2h3:hold:${name}`)) === 1,
    hold: (name, what) => hold(client, `h2h3:hold:${name}`, what),
    coordinate: async (runId, lostAfterMs) => {
      const queue = queueOf(runId);
      // It takes no job; it looks whether those who did are alive.
      const watcher = new bullmq.Worker(nameOf(runId), null, { ...timing(lostAfterMs), connection: client });
      watcher.on('error', quiet);
      await watcher.startStalledCheckTimer();
      return coordinatorQueue(queue, watcher);
    },
    work: (runId, lostAfterMs, run) => {
      const worker = makeWorker(bullmq, nameOf(runId), { client, lostAfterMs, run });
      worker.on('error', once(say, shown));
      return { begin: () => void worker.run(), close: () => worker.close() };
    },
    close: async () => {
      await client.quit().catch(() => client.disconnect());
    },
  };
}

/** Asks a queue of BullMQ once. */
async function asked<T>(queue: Queue<unknown>, ask: (queue: Queue<unknown>) => Promise<T>): Promise<T> {
  try {
    return await ofOurs(ask(queue), `bull:${queue.name}`);
  } finally {
    await queue.close();
  }
}

/** Says the first thing that the queue refuses a worker: it is asked again and again, and the run may go on by others. */
function once(say: (line: string) => void, shown: string): (fault: Error) => void {
  let isSaid = false;
  return (fault) => {
    // The connection itself tells when it is gone.
    if (isSaid || !isRefusal(fault)) return;
    isSaid = true;
    say(`${shown} gives no lease: ${fault.message}`);
  };
}

/** Renews and releases a name only where it is still this process's. */
const renewScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end";
const releaseScript =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

async function hold(client: Redis, key: string, what: string): Promise<() => Promise<void>> {
  const token = `${process.pid}-${crypto.randomUUID()}`;
  const take = async (): Promise<boolean> => (await client.set(key, token, 'PX', holdMs, 'NX')) === 'OK';
  // One that was killed lets go when its time is over.
  for (let left = holdMs + 2_000; !(await take()); left -= 500) {
    if (left <= 0)
      throw new H2h3Error('usage', `${what} is at work already`, { next: 'Wait for it, or end it first.' });
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const renewal = setInterval(() => {
    client.eval(renewScript, 1, key, token, holdMs).catch(() => undefined); // tried again at the next turn
  }, holdMs / 4);
  return async () => {
    clearInterval(renewal);
    await client.eval(releaseScript, 1, key, token).catch(() => undefined); // it ends by itself then
  };
}

/**
 * A lease is never run twice, so whose worker falls silent is lost: by default BullMQ would run it again, on another host.
 */
function timing(lostAfterMs: number): {
  readonly maxStalledCount: 0;
  readonly lockDuration: number;
  readonly stalledInterval: number;
} {
  return { maxStalledCount: 0, lockDuration: lostAfterMs, stalledInterval: lostAfterMs };
}

interface WorkerParts {
  readonly client: Redis;
  readonly lostAfterMs: number;
  readonly run: (lease: LeaseJob) => Promise<void>;
}

function makeWorker(
  { Worker: BullWorker }: typeof import('bullmq'),
  name: string,
  { client, lostAfterMs, run }: WorkerParts,
): Worker {
  const takenAway = new Set<string>();
  const processor = async (job: Job): Promise<void> => {
    const leaseId = job.id ?? '';
    await run({
      leaseId,
      tell: async (line, done, total) => {
        await Promise.all([job.log(line), job.updateProgress({ done, total })]);
      },
      isTakenAway: () => takenAway.has(leaseId),
    });
  };
  const worker = new BullWorker(name, processor, {
    ...timing(lostAfterMs),
    connection: client,
    concurrency: 1,
    autorun: false,
    drainDelay: 1,
  });
  worker.on('lockRenewalFailed', (leaseIds) => leaseIds.forEach((leaseId) => takenAway.add(leaseId)));
  return worker;
}

function coordinatorQueue(queue: Queue<unknown>, watcher: Worker): CoordinatorQueue {
  const key = `bull:${queue.name}`;
  const idsOf = (jobs: readonly Job[]): string[] => jobs.flatMap(({ id }) => id ?? []);
  return {
    add: async (leaseIds) => {
      const jobs = leaseIds.map((leaseId) => ({
        name: 'lease',
        data: {},
        opts: { jobId: leaseId, attempts: 1 },
      }));
      await ofOurs(queue.addBulk(jobs), key);
    },
    active: async () => idsOf(await ofOurs(queue.getActive(), key)),
    ended: async () => {
      const [completed, failed] = await ofOurs(Promise.all([queue.getCompleted(), queue.getFailed()]), key);
      return [
        ...idsOf(completed).map((leaseId) => ({ leaseId })),
        ...failed.flatMap(({ id, failedReason }) =>
          id === undefined ? [] : [{ leaseId: id, lost: failedReason }],
        ),
      ];
    },
    forget: async (leaseId) => void (await queue.remove(leaseId)),
    end: () => queue.obliterate({ force: true }),
    close: async () => {
      await watcher.close();
      await queue.close();
    },
  };
}
