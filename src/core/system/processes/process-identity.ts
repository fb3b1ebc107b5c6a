import { readFileSync } from 'node:fs';
import { foundOr, hasErrno } from '../../model/errors.ts';

/** Whether a process of this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return hasErrno(thrown, 'EPERM');
  }
}

/**
 * Process id and, where the system says it, the time of its start: with it a number that was given to another process
 * after a restart of the machine is told from the one that a file was written by.
 */
export function processIdentity(pid: number): string {
  return [pid, startOf(pid) ?? []].flat().join(' ');
}

/** Id of the living process that `identity` (as `processIdentity` gives it) names, or null. */
export function livingProcess(identity: string): number | null {
  const [pidText, start] = identity.trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  const now = startOf(pid);
  return start !== undefined && now !== null && start !== now ? null : pid;
}

/** Ticks from the start of the machine to that of the process: field 22 of proc_pid_stat(5); null where there is none. */
function startOf(pid: number): string | null {
  const stat = foundOr(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '', 'ESRCH');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
