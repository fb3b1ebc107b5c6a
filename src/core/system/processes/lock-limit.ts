import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * A mark that a process does not lose: the soft limit of file locks (RLIMIT_LOCKS of getrlimit(2)). Linux has not enforced
 * it since 2.4.25 and still hands it on to every child, whatever its session, its parents and its environment
 * (`setsid env -i …`). It needs no rights, and no process that stays to watch. What runs programs of the user's has one.
 *
 * From the highest bit: the process id of the run (22 bits), a digest of the run's id (24), a digest of the command's name (16).
 */
const commandBits = 16n;
const runBits = 24n;

const digest = (text: string, bits: bigint): bigint =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 16)}`) & ((1n << bits) - 1n);

/** @param runId begins with the process id of the run, or has none @param command tells one from the others of the run */
export function lockLimitOf(runId: string, command: string): bigint {
  const pid = BigInt(/^(\d{1,7})-/.exec(runId)?.[1] ?? 0);
  return (((pid << runBits) | digest(runId, runBits)) << commandBits) | digest(command, commandBits);
}

/** Whether a process with this limit belongs to the run. */
export function isOfRun(limit: bigint, runId: string): boolean {
  return limit >> commandBits === lockLimitOf(runId, '') >> commandBits;
}

/** Process id of the run that set this limit. */
export function runPidOf(limit: bigint): number {
  return Number(limit >> (commandBits + runBits));
}

/** Bash calls the limit -x, every other shell -w; a shell that has none runs the command without the mark. */
const script = 'ulimit -S -w "$0" 2>/dev/null || ulimit -S -x "$0" 2>/dev/null; exec "$@"';

/** The command line with which the words run under the limit, as the same process. */
export function underLockLimit(limit: bigint, words: readonly string[]): readonly string[] {
  return process.platform === 'linux' ? ['/bin/sh', '-c', script, String(limit), ...words] : words;
}

/** Soft limits of all processes that have one, by process id (Linux; none on other systems). */
export function lockLimits(): ReadonlyMap<number, bigint> {
  const found = new Map<number, bigint>();
  if (process.platform !== 'linux') return found;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const soft = /^Max file locks\s+(\d+)/m.exec(limitsOf(name))?.[1];
    if (soft !== undefined) found.set(Number(name), BigInt(soft));
  }
  return found;
}

function limitsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/limits`, 'latin1');
  } catch {
    return ''; // ended meanwhile
  }
}
