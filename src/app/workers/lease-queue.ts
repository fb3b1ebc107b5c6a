import type { Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { H2h3Error, messageOf } from '../../model/errors.ts';
import { installCommand, isInstalled } from '../../system/optional-package.ts';

interface QueueModules {
  readonly bullmq: typeof import('bullmq');
  readonly Client: typeof Redis;
}

/** The modules that talk to the queue: few runs need them, so they are optional and loaded here only. */
async function loadModules(): Promise<QueueModules> {
  try {
    const [bullmq, { Redis: Client }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Client };
  } catch (thrown) {
    const lacking = ['bullmq', 'ioredis'].filter((name) => !isInstalled(name));
    throw new H2h3Error('unsupported', `workers need the packages bullmq and ioredis: ${messageOf(thrown)}`, {
      cause: thrown,
      next: lacking.map((name) => `\`${installCommand(name)}\``).join(' and '),
    });
  }
}

const connectLimitMs = 10_000;
/** Clocks that are further apart make times of day of one run worthless. */
const mostSkewMs = 10_000;
/** A coordinator or a host that was killed lets go of its name after this time. */
const holdMs = 10_000;
const announced = 'h2h3:runs';

/** A connection to Redis or Valkey on which hosts share runs. */
export interface LeaseQueues {
  /** Runs that wait for workers, by id. */
  runs(): Promise<ReadonlyMap<string, string>>;
  announce(runId: string, version: string): Promise<void>;
  withdraw(runId: string): Promise<void>;
  /** Takes a name that one process may have at a time; returns its release. @throws H2h3Error `usage` where another has it */
  hold(name: string, what: string): Promise<() => Promise<void>>;
  coordinate(runId: string, lostAfterMs: number): Promise<CoordinatorQueue>;
  work(runId: string, lostAfterMs: number, run: (lease: LeaseJob) => Promise<void>): LeaseWorker;
  close(): Promise<void>;
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
  /** How far it is, for whoever looks at the queue. */
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
  if (!/^rediss?:\/\//.test(url))
    throw new H2h3Error('usage', `not the address of a Redis: "${shown(url)}"`, {
      context: { expected: 'redis://host:6379, or rediss:// with TLS' },
    });
  const { bullmq, Client } = await loadModules();
  const client = new Client(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: connectLimitMs,
  });
  await connect(client, url);
  try {
    await checkClocks(client);
  } catch (thrown) {
    client.disconnect();
    throw thrown;
  }
  await warnOfForgetting(client, url, say);
  watchConnection(client, url, say);
  const quiet = (): void => undefined; // the connection itself is watched, and each command waits for it
  const nameOf = (runId: string): string => `h2h3-${runId}`;
  return {
    runs: async () => new Map(Object.entries(await client.hgetall(announced))),
    announce: async (runId, version) => void (await client.hset(announced, runId, version)),
    withdraw: async (runId) => void (await client.hdel(announced, runId)),
    hold: (name, what) => hold(client, `h2h3:hold:${name}`, what),
    coordinate: async (runId, lostAfterMs) => {
      const queue = new bullmq.Queue<unknown>(nameOf(runId), { connection: client });
      // It takes no job; it looks whether those who did are alive.
      const watcher = new bullmq.Worker(nameOf(runId), null, { ...timing(lostAfterMs), connection: client });
      queue.on('error', quiet);
      watcher.on('error', quiet);
      await watcher.startStalledCheckTimer();
      return coordinatorQueue(queue, watcher);
    },
    work: (runId, lostAfterMs, run) => {
      const worker = makeWorker(bullmq, nameOf(runId), { client, lostAfterMs, run });
      worker.on('error', quiet);
      return { begin: () => void worker.run(), close: () => worker.close() };
    },
    close: async () => {
      await client.quit().catch(() => client.disconnect());
    },
  };
}

/** An address without its password. */
function shown(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@');
}

async function connect(client: Redis, url: string): Promise<void> {
  const faults: Error[] = [];
  const note = (fault: Error): void => void faults.push(fault);
  client.on('error', note);
  const late = setTimeout(() => client.disconnect(), connectLimitMs);
  try {
    await client.connect();
    await client.ping();
  } catch (thrown) {
    client.disconnect();
    const reason = messageOf(faults[0] ?? thrown) || 'no answer';
    const refused = /WRONGPASS|NOAUTH|NOPERM|invalid password/i.test(`${reason} ${messageOf(thrown)}`);
    throw new H2h3Error(
      refused ? 'usage' : 'unsupported',
      refused
        ? `${shown(url)} refuses this user or password`
        : `no Redis or Valkey answers at ${shown(url)}: ${reason}`,
      {
        cause: thrown,
        next: refused
          ? 'Give them in the address: redis://user:password@host:6379.'
          : 'Start it, or look at the address and at what stands between.',
      },
    );
  } finally {
    clearTimeout(late);
    client.off('error', note);
  }
}

async function checkClocks(client: Redis): Promise<void> {
  const before = Date.now();
  const [seconds, microseconds] = await client.time();
  const here = (before + Date.now()) / 2;
  const skewMs = here - (Number(seconds) * 1000 + Number(microseconds) / 1000);
  if (Math.abs(skewMs) <= mostSkewMs) return;
  const apart = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'}`;
  throw new H2h3Error('bad-input', `the clock of this machine is ${apart} that of Redis`, {
    next: 'Set both by NTP: records of one run carry times of day of all its machines.',
  });
}

/** Says so where what waits in the queue would not outlast a restart. */
async function warnOfForgetting(client: Redis, url: string, say: (line: string) => void): Promise<void> {
  let facts: string;
  try {
    facts = await client.info();
  } catch (thrown) {
    say(`warning: whether ${shown(url)} keeps an append-only file is not known: ${messageOf(thrown)}`);
    return;
  }
  const factOf = (name: string): string | undefined => new RegExp(`^${name}:(\\w+)`, 'm').exec(facts)?.[1];
  if (factOf('aof_enabled') === '1') return;
  const program = factOf('server_name') === 'valkey' ? 'Valkey' : 'Redis';
  say(
    `warning: ${program} at ${shown(url)} keeps no append-only file: if it is started again, leases under way count as lost. Start it with --appendonly yes`,
  );
}

function watchConnection(client: Redis, url: string, say: (line: string) => void): void {
  let gone = false;
  client.on('error', () => {
    if (!gone) say(`${shown(url)} does not answer; what is under way goes on, and waits for it`);
    gone = true;
  });
  client.on('ready', () => {
    if (gone) say(`${shown(url)} answers again`);
    gone = false;
  });
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
  const idsOf = (jobs: readonly Job[]): string[] => jobs.flatMap(({ id }) => id ?? []);
  return {
    add: async (leaseIds) => {
      const jobs = leaseIds.map((leaseId) => ({
        name: 'lease',
        data: {},
        opts: { jobId: leaseId, attempts: 1 },
      }));
      await queue.addBulk(jobs);
    },
    active: async () => idsOf(await queue.getActive()),
    ended: async () => {
      const [completed, failed] = await Promise.all([queue.getCompleted(), queue.getFailed()]);
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
