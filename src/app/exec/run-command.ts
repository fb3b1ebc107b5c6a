import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { lockLimits, underLockLimit } from '../../core/system/processes/lock-limit.ts';
import { killLimited, limitForCommand } from '../../core/system/processes/marked-processes.ts';

/** Takes signals for h2h3 until the returned function is called; meanwhile they do not end it. */
export type PassSignals = (take: (signal: NodeJS.Signals) => void) => () => void;

export interface CommandOptions {
  readonly command: readonly string[];
  /** Words before it. */
  readonly prefix: readonly string[];
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly passSignals: PassSignals;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** How a command ended. */
export interface CommandEnd {
  readonly durationMs: number;
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  /** Whether h2h3 was asked to end meanwhile. */
  readonly interrupted: boolean;
  /** Processes that it left in the background, which were ended. */
  readonly leftBehind: number;
}

/** A command that was told to end is given so long. */
const graceMs = 10_000;
/** Of a process that a signal ended, in a shell. */
const signalBase = 128;

/**
 * Runs a command to its end with the standard input, output and error of this process, and ends what it left in the
 * background. It has no namespace of process ids, which containers often cannot make, in which some shells lose their
 * terminal, and which would hide the user's other processes: what is left is found by its limit of locks.
 */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const { command, prefix, environment, passSignals, signal: endAtOnce } = options;
  const limit = limitForCommand(environment);
  const [program = '', ...args] = underLockLimit(limit, [...prefix, ...command]);
  const startedMs = performance.now();
  const child = spawn(program, args, { stdio: 'inherit', env: environment });
  let interrupted = false;
  let timer: NodeJS.Timeout | undefined;
  const kill = (): void => void child.kill('SIGKILL');
  const release = passSignals((signal) => {
    interrupted = true;
    if (signal !== 'SIGINT') timer ??= setTimeout(kill, graceMs);
    // A terminal gives Ctrl-C to the command itself; twice it would mean more.
    if (signal !== 'SIGINT' || !inForeground()) child.kill(signal);
  });
  endAtOnce.addEventListener('abort', kill, { once: true });
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    const durationMs = performance.now() - startedMs;
    const leftBehind = [...lockLimits().values()].filter((each) => each === limit).length;
    await killLimited(limit);
    const exitCode = code ?? signalBase + (signal === null ? 0 : os.constants.signals[signal]);
    return { durationMs, exitCode, signal, interrupted, leftBehind };
  } finally {
    clearTimeout(timer);
    endAtOnce.removeEventListener('abort', kill);
    release();
  }
}

/** Whether a terminal gives its signals to the group of this process: fields 5 and 8 of proc_pid_stat(5). */
function inForeground(): boolean {
  if (process.platform !== 'linux') return process.stdin.isTTY;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[2] === fields[5];
}
