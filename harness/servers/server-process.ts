import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { underLockLimit } from '../../src/core/system/processes/lock-limit.ts';
import { killLimited, limitForCommand } from '../../src/core/system/processes/marked-processes.ts';
import { tailOf } from '../../src/core/system/run-program.ts';

const stopTimeoutMs = 3000;

export interface ServerCommand {
  /** Program and arguments, prefix included. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Takes standard output and standard error. */
  readonly logFile: string;
  /** For messages. */
  readonly name: string;
}

/** A started server process. */
export interface ServerProcess {
  readonly pid: number;
  readonly alive: () => boolean;
  /** Resolves when the process has ended, by itself or not. */
  readonly ended: Promise<void>;
  /** How it ended, such as `exit code 1`; null while it runs. */
  readonly endedBy: () => string | null;
  /** Last lines of its output. */
  readonly logTail: () => Promise<string>;
  readonly log: () => Promise<string>;
  /** SIGTERM, after 3 s SIGKILL; resolves when it has ended, with all that it started. */
  readonly stop: () => Promise<void>;
}

/** @throws H2h3Error `process-failed` when it cannot be started at all. */
export async function startServerProcess(options: ServerCommand): Promise<ServerProcess> {
  // Servers write their title over their environment, and start what has neither their session nor their environment.
  const limit = limitForCommand(options.environment);
  const [program = '', ...args] = underLockLimit(limit, options.command);
  const logHandle = await open(options.logFile, 'a');
  try {
    // A group of its own: Ctrl-C in the terminal reaches the runner, which stops the server when it is done with it.
    const child = spawn(program, args, {
      stdio: ['ignore', logHandle.fd, logHandle.fd],
      env: options.environment,
      detached: true,
    });
    const pid = await startedPid(child, options.name);
    const server = processOf(child, pid, options.logFile);
    const stop = (): Promise<void> => server.stop().then(() => killLimited(limit));
    return { ...server, stop };
  } finally {
    await logHandle.close();
  }
}

function startedPid(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', (cause) =>
      reject(new H2h3Error('process-failed', `${name} cannot be started: ${cause.message}`, { cause })),
    );
  });
}

function processOf(child: ChildProcess, pid: number, logFile: string): ServerProcess {
  const alive = (): boolean => child.exitCode === null && child.signalCode === null;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const log = (): Promise<string> => readFile(logFile, 'utf8');
  return {
    pid,
    alive,
    ended,
    log,
    endedBy: () => {
      if (alive()) return null;
      return child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`;
    },
    logTail: async () => tailOf(await log()),
    async stop() {
      if (!alive()) return;
      signalGroup(pid, 'SIGTERM');
      await Promise.race([ended, sleep(stopTimeoutMs, undefined, { ref: false })]);
      if (!alive()) return;
      signalGroup(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** The group holds wrappers of the prefix that do not replace themselves (sudo). */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!hasErrno(error, 'ESRCH')) throw error;
  }
}
