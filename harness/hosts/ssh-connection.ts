import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { shellWord } from '../../src/core/model/command-words.ts';
import { endOfText } from '../../src/core/model/cut-text.ts';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { sshFailure } from './ssh-errors.ts';

export interface SshOptions {
  /** `USER@HOST`, an alias of the user's configuration, or `ssh://USER@HOST:PORT`. */
  readonly host: string;
  /** A folder of this run that nobody else can enter. */
  readonly folder: string;
  /** Environment of every process of the run (carries the marker by which the reaper finds them). */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What a command there did. */
export interface SshResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine that is reached by the system's `ssh`, over one connection. */
export interface SshConnection {
  readonly host: string;
  /** Runs a script of a POSIX shell there. @param file what it reads from its standard input; default: nothing */
  run(script: string, limitMs: number, file?: string): Promise<SshResult>;
  /** Starts one there that is spoken with. */
  start(script: string): ChildProcessWithoutNullStreams;
  close(): Promise<void>;
}

/** `-o` of every call: no question is asked, no key accepted, nothing forwarded, nothing of the user's run along. */
const commonOptions: readonly string[] = [
  'BatchMode=yes',
  'StrictHostKeyChecking=yes',
  'ClearAllForwardings=yes',
  'ForwardAgent=no',
  'ForwardX11=no',
  'PermitLocalCommand=no',
  'RemoteCommand=none',
  'RequestTTY=no',
  'ConnectTimeout=10',
  'ServerAliveInterval=3',
  'ServerAliveCountMax=3',
  'LogLevel=ERROR',
];

const connectLimitMs = 30_000;
const closeLimitMs = 2_000;
const pollMs = 20;
const stderrKept = 4000;
const outputLimitBytes = 1024 * 1024;

const asOptions = (options: readonly string[]): string[] => options.flatMap((option) => ['-o', option]);

/** What ssh would take for an option or a command. @throws H2h3Error `usage` */
export function requireHostName(host: string): void {
  if (/^(?:ssh:\/\/)?[\w.%+@:[\]-]+$/.test(host) && !host.startsWith('-')) return;
  throw new H2h3Error('usage', `"${host}" names no machine`, {
    context: { expected: 'USER@HOST, an alias of ~/.ssh/config, or ssh://USER@HOST:PORT', got: host },
  });
}

/**
 * Connects by the user's own configuration, keys and known hosts.
 *
 * @throws H2h3Error `unsupported` or `usage` that says why not and what to do; nothing is left running then
 */
export async function openSsh({ host, folder, environment }: SshOptions): Promise<SshConnection> {
  requireHostName(host);
  // A socket's address has room for 108 bytes, of which ssh needs 17 for a name of its own.
  const socket = join(folder, 'ssh');
  const words = ['-M', '-N', '-S', socket, ...asOptions(['ControlPersist=no', ...commonOptions]), '--', host];
  const master = spawn('ssh', words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment,
    detached: true,
  });
  let stderr = '';
  let cause: Error | undefined;
  master.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (stderr = endOfText(stderr + text, stderrKept)));
  master.once('error', (thrown) => (cause = thrown));
  const ended = new Promise<void>((resolve) => master.once('close', () => resolve()));
  const close = async (): Promise<void> => {
    master.kill();
    const timer = setTimeout(() => master.kill('SIGKILL'), closeLimitMs);
    await ended;
    clearTimeout(timer);
  };
  const endMs = performance.now() + connectLimitMs;
  while (!existsSync(socket)) {
    await Promise.race([ended, sleep(pollMs)]);
    if (cause !== undefined) throw startFailure(cause);
    if (!isRunning(master)) throw sshFailure(host, stderr);
    if (performance.now() < endMs) continue;
    await close();
    throw sshFailure(host, `${stderr}\nConnection timed out`);
  }
  // One that lost its master must not connect by itself.
  const shared = ['-S', socket, ...asOptions(['ControlMaster=no', 'ProxyCommand=false', ...commonOptions])];
  const start = (script: string): ChildProcessWithoutNullStreams =>
    spawn('ssh', [...shared, '--', host, `exec sh -c ${shellWord(script)}`], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment,
      detached: true,
    });
  return { host, start, run: (script, limitMs, file) => runOver(start(script), limitMs, file), close };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

function startFailure(cause: Error): H2h3Error {
  const isAbsent = hasErrno(cause, 'ENOENT');
  return new H2h3Error(
    'unsupported',
    isAbsent ? 'there is no ssh here' : `ssh cannot be started: ${cause.message}`,
    {
      next: 'Install OpenSSH (Debian: openssh-client).',
      cause,
    },
  );
}

async function runOver(
  child: ChildProcessWithoutNullStreams,
  limitMs: number,
  file: string | undefined,
): Promise<SshResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.length > outputLimitBytes) child.kill('SIGKILL');
  });
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (stderr = endOfText(stderr + text, stderrKept)));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  child.once('error', () => undefined); // told by its end
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  // A script that ends early leaves the rest unread, which its exit code tells.
  if (file === undefined) child.stdin.on('error', () => undefined).end();
  else await pipeline(createReadStream(file), child.stdin).catch(() => undefined);
  const exitCode = await ended;
  clearTimeout(timer);
  return { exitCode, stdout, stderr };
}
