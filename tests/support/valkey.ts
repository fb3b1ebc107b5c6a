import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { ensureDebianTree, debianTreeLack, type DebianTree } from '../../harness/tools/debian-tree.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { projectDir } from './cli.ts';
import { startLimitMs, waitUntil } from './processes.ts';
import { markedEnvironment } from './test-scope.ts';

const program = 'usr/bin/valkey-server';
const debian = {
  name: 'valkey',
  suite: 'trixie',
  packages: ['valkey-server'],
  programs: [program],
  downloadMegabytes: 6,
} as const;

/** A Valkey of Debian that keeps what it was told, also when it is killed. */
export interface Valkey {
  readonly url: string;
  readonly port: number;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port with what it had kept. */
  restart(): Promise<void>;
}

export interface ValkeyOptions {
  readonly password?: string;
  /** Whose password it is. Default: that of everybody. */
  readonly user?: string;
  /** PEM files: it listens on TLS alone. Default: none, and no TLS. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string };
  /** Address on which it listens. Default: loopback. */
  readonly bind?: string;
  /** Keeps nothing when it ends. Default: false. */
  readonly forgetful?: boolean;
}

function setupContext(): Promise<SetupContext> {
  const { signal } = new AbortController();
  return createSetupContext({ projectDir, signal, progress: () => undefined });
}

/** Why this machine can have no Valkey of Debian: the reason to skip a test; false where it can. */
export async function noValkeyReason(): Promise<string | false> {
  return (await debianTreeLack(await setupContext())) ?? false;
}

/** Fetches it where it is not here yet. @throws H2h3Error as `ensureDebianTree` */
export const ensureValkey = (context: SetupContext): Promise<DebianTree> => ensureDebianTree(debian, context);

/** Starts a Valkey on a free port of loopback with its append-only file in `folder`; it ends with the test. */
export async function startValkey(
  t: Pick<TestContext, 'after'>,
  folder: string,
  options: ValkeyOptions = {},
): Promise<Valkey> {
  const tree = await ensureValkey(await setupContext());
  // Set aside while it is killed and started again: of those that the system gives to anybody another program may have it meanwhile.
  const port = await choosePort(undefined);
  const [loader = '', ...words] = tree.command(program);
  const settings = join(folder, 'valkey.conf');
  writeFileSync(settings, settingsOf(options, port, folder));
  const { password, user = '', tls } = options;
  const url = `redis${tls === undefined ? '' : 's'}://${password === undefined ? '' : `${user}:${encodeURIComponent(password)}@`}127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = spawn(loader, [...words, settings], {
      stdio: 'ignore',
      env: markedEnvironment(),
      cwd: folder,
    });
    await answers(url);
  };
  const kill = async (): Promise<void> => {
    const ended = child;
    child = null;
    if (ended === null || ended.exitCode !== null) return;
    const gone = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill('SIGKILL');
    await gone;
  };
  t.after(kill);
  await start();
  return { url, port, kill, restart: start };
}

/** In a file: every user of a machine can read the arguments of a program. */
function settingsOf(
  { password, user, tls, bind = '127.0.0.1', forgetful = false }: ValkeyOptions,
  port: number,
  folder: string,
): string {
  const secure = [
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${tls?.certificateFile}`,
    `tls-key-file ${tls?.keyFile}`,
    'tls-auth-clients no',
  ];
  const everybody = password === undefined ? [] : [`requirepass ${password}`];
  return [
    ...(tls === undefined ? [`port ${port}`] : secure),
    `bind ${bind}`,
    `dir ${folder}`,
    'save ""',
    ...(forgetful ? [] : ['appendonly yes', 'appendfsync always']),
    ...(user === undefined ? everybody : ['user default off', `user ${user} on >${password} ~* &* +@all`]),
  ].join('\n');
}

/** Until it answers: also while it reads its file again. */
async function answers(url: string): Promise<void> {
  await waitUntil(`Valkey answers at ${url}`, startLimitMs, async () => {
    const client = new Redis(url, {
      lazyConnect: true,
      retryStrategy: () => null,
      ...(url.startsWith('rediss:') ? { tls: { rejectUnauthorized: false } } : {}),
    });
    client.on('error', () => undefined); // asked again
    try {
      await client.connect();
      await client.ping();
      return true;
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  });
}
