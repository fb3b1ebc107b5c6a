import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { endWithInput, isRunning } from './held-child.ts';
import type { Privilege } from './privilege.ts';

/**
 * A network and a mount namespace without a name: they live as long as the process that holds them, and that ends
 * with its standard input. So nothing of them can outlast the run, whatever becomes of it, and there is nothing
 * that an earlier run could have left behind.
 */
export interface Namespace {
  readonly pid: number;
  /** Words before a command that is to run in it as its administrator. */
  readonly adminPrefix: readonly string[];
  /** Words before a command that is to run in it as the user that runs h2h3. */
  readonly userPrefix: readonly string[];
  readonly alive: () => boolean;
  /** @throws H2h3Error `process-failed` with what the script said. Returns its standard output. */
  readonly script: (script: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const startTimeoutMs = 10_000;
const scriptTimeoutMs = 20_000;

/**
 * Says which process it has become, and waits for the end of its standard input. Containers have their settings of the kernel mounted
 * read-only: those of the namespace itself can be written where the mount may be changed, which root may.
 */
const holderScript = 'mount -o remount,bind,rw /proc/sys 2>/dev/null; echo $$; exec cat > /dev/null';

function enter(pid: number, privilege: Privilege): string[] {
  const user = privilege.kind === 'user-namespace' ? ['--user', '--preserve-credentials'] : [];
  return ['nsenter', '--target', String(pid), ...user, '--net', '--mount', '--root', '--wd'];
}

function userPrefix(pid: number, privilege: Privilege): string[] {
  if (privilege.kind !== 'sudo') return [...enter(pid, privilege), '--'];
  // Browsers must not run as root because the namespace had to be made by root.
  const identity = ['--setuid', String(process.getuid?.() ?? 0), '--setgid', String(process.getgid?.() ?? 0)];
  const path = `PATH=${process.env['PATH'] ?? ''}`;
  return [...privilege.adminPrefix, 'env', path, ...enter(pid, privilege), ...identity, '--'];
}

/** How the process that holds a namespace is started; in a user namespace the later ones join the first one's. */
export function holderCommand(privilege: Privilege, first: Namespace | undefined): string[] {
  const make = ['unshare', '--net', '--mount'];
  const hold = ['sh', '-c', holderScript];
  if (privilege.kind !== 'user-namespace') return [...privilege.adminPrefix, ...make, ...hold];
  if (first === undefined) return [...make, '--user', '--map-root-user', ...hold];
  const join = ['nsenter', '--target', String(first.pid), '--user', '--preserve-credentials', '--'];
  return [...join, ...make, ...hold];
}

/** @throws H2h3Error `unsupported` when the namespace cannot be made. */
export async function makeNamespace(
  privilege: Privilege,
  environment: Readonly<Record<string, string>>,
  context: Pick<SetupContext, 'run'>,
  first?: Namespace,
): Promise<Namespace> {
  const [program = '', ...args] = holderCommand(privilege, first);
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    // Ctrl-C in the terminal is the run's to handle.
    detached: true,
  });
  child.stdin.on('error', () => undefined); // a holder that died is noticed by `alive`
  const pid = await holderPid(child);
  const adminPrefix = [...privilege.adminPrefix, ...enter(pid, privilege), '--'];
  return {
    pid,
    adminPrefix,
    userPrefix: userPrefix(pid, privilege),
    alive: () => isRunning(child),
    script: (script) => runScript([...adminPrefix, 'sh', '-c', script], context),
    stop: () => endWithInput(child),
  };
}

async function holderPid(child: ChildProcess): Promise<number> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  try {
    const line = await new Promise<string>((resolve, reject) => {
      if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('close', () => reject(new Error(tailOf(stderr) || 'it ended without a word')));
    });
    return Number(line);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new H2h3Error('unsupported', `a network namespace cannot be made: ${message}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function runScript(command: readonly string[], context: Pick<SetupContext, 'run'>): Promise<string> {
  const [program = '', ...args] = command;
  const result = await context.run(program, args, { timeoutMs: scriptTimeoutMs });
  if (result.exitCode === 0) return result.stdout;
  throw new H2h3Error(
    'process-failed',
    `setting up a network namespace failed: ${tailOf(result.stderr, 3)}`,
    {
      context: { stderrTail: tailOf(result.stderr) },
    },
  );
}
