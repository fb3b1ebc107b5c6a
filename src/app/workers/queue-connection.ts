import type { Redis } from 'ioredis';
import { H2h3Error, foreignWords, messageOf } from '../../core/model/errors.ts';
import { shownAddress } from '../../core/model/user-information.ts';
import { installCommand, isInstalled } from '../../core/system/optional-package.ts';

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
const maxSkewMs = 10_000;
/** A connection to Redis or Valkey. */
export interface QueueConnection extends QueueModules {
  readonly client: Redis;
  /** Its address without user name and password. */
  readonly shown: string;
}

/**
 * Connects.
 *
 * @param url such as `redis://user:password@host:6379/0`
 * @throws H2h3Error `unsupported` when nothing answers, `usage` when the password is wrong, `bad-input` for clocks apart
 */
export async function connectToQueue(url: string, say: (line: string) => void): Promise<QueueConnection> {
  const shown = shownAddress(requireQueueAddress(url));
  const modules = await loadModules();
  const client = new modules.Client(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: connectLimitMs,
  });
  await connect(client, shown);
  try {
    await checkClocks(client);
  } catch (thrown) {
    client.disconnect();
    throw thrown;
  }
  await warnOfForgetting(client, shown, say);
  watchConnection(client, shown, say);
  return { ...modules, client, shown };
}

/** An address that a client of Redis reads as it is meant. @throws H2h3Error `usage` without repeating it: it may hold a password */
function requireQueueAddress(url: string): string {
  const parsed = URL.parse(url);
  if (
    parsed !== null &&
    /^rediss?:$/.test(parsed.protocol) &&
    parsed.hostname !== '' &&
    /^(?:\/\d*)?$/.test(parsed.pathname) &&
    parsed.search === ''
  )
    return url;
  throw new H2h3Error('usage', 'this is not the address of a Redis or Valkey', {
    context: { expected: 'redis://host:6379/0, or rediss://host:6379/0 over TLS' },
    next: 'Characters such as / and # in a password are written %2F and %23; ${NAME} does that by itself.',
  });
}

async function connect(client: Redis, shown: string): Promise<void> {
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
    const said = [faults[0], thrown].map(foreignWords).join(' ');
    const refused = /WRONGPASS|NOAUTH|NOPERM|invalid password/i.test(said);
    throw new H2h3Error(
      refused ? 'usage' : 'unsupported',
      refused
        ? `${shown} refuses this user or password`
        : `no Redis or Valkey answers at ${shown}: ${reason}`,
      {
        cause: thrown,
        next: refused
          ? "Name them in the address: 'redis://${USER}:${PASSWORD}@host:6379'."
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
  if (Math.abs(skewMs) <= maxSkewMs) return;
  const apart = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'}`;
  throw new H2h3Error('bad-input', `the clock of this machine is ${apart} that of Redis`, {
    next: 'Set both by NTP: records of one run carry times of day of all its machines.',
  });
}

/** Says so where what waits in the queue would not outlast a restart. */
async function warnOfForgetting(client: Redis, shown: string, say: (line: string) => void): Promise<void> {
  let facts: string;
  try {
    facts = await client.info();
  } catch (thrown) {
    say(`warning: whether ${shown} keeps an append-only file is not known: ${messageOf(thrown)}`);
    return;
  }
  const factOf = (name: string): string | undefined => new RegExp(`^${name}:(\\w+)`, 'm').exec(facts)?.[1];
  if (factOf('aof_enabled') === '1') return;
  const program = factOf('server_name') === 'valkey' ? 'Valkey' : 'Redis';
  say(
    `warning: ${program} at ${shown} keeps no append-only file: if it is started again, leases under way count as lost. Start it with --appendonly yes`,
  );
}

function watchConnection(client: Redis, shown: string, say: (line: string) => void): void {
  let gone = false;
  client.on('error', () => {
    if (!gone) say(`${shown} does not answer; what is under way goes on, and waits for it`);
    gone = true;
  });
  client.on('ready', () => {
    if (gone) say(`${shown} answers again`);
    gone = false;
  });
}
