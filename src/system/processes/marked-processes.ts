import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './process-identity.ts';

/**
 * Processes are found by a variable in their environment, which children inherit: browsers start theirs in
 * sessions of their own, so neither process groups nor parents find them all once something was killed.
 */
export const runMarkerVariable = 'H2H3_RUN_ID';
export const workerMarkerVariable = 'H2H3_WORKER_ID';

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return []; // the process has ended meanwhile, or is another user's
  }
}

function valueOf(pid: string, variable: string): string | undefined {
  const found = environmentOf(pid).find((line) => line.startsWith(`${variable}=`));
  return found?.slice(variable.length + 1);
}

/** Ids of the processes with `variable=value` in their environment. */
export function markedProcesses(variable: string, value: string): number[] {
  const marker = `${variable}=${value}`;
  if (process.platform === 'linux') {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return all.filter((pid) => environmentOf(pid).includes(marker)).map(Number);
  }
  const listing = execFileSync('ps', ['eww', '-axo', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const lines = listing.split('\n').filter((line) => line.split(' ').includes(marker));
  return lines.map((line) => Number.parseInt(line, 10)).filter(Number.isInteger);
}

const placeOf = (pid: string): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null; // ended meanwhile, or another user's
  }
};

/** Values of the variable that begin with the id of a process that is gone, by the processes that still have it (Linux). */
function abandoned(variable: string): string[] {
  if (process.platform !== 'linux') return [];
  // Elsewhere the number in a run's id means another process.
  const own = placeOf('self');
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && placeOf(name) === own);
  const ids = all.flatMap((pid) => valueOf(pid, variable) ?? []);
  return [...new Set(ids)].filter((id) => {
    const pid = /^(\d+)-/.exec(id)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
}

/** A reaper that still works is given so long. */
const reaperPatienceMs = 10_000;

/** Ends what runs left that were killed together with what would have ended it: with the variable, and without their run. */
export async function endAbandonedRuns(variable = runMarkerVariable): Promise<void> {
  const endMs = performance.now() + reaperPatienceMs;
  for (const id of abandoned(variable)) {
    while (isReaped(variable, id) && performance.now() < endMs) await sleep(50);
    await killMarkedProcesses(variable, id);
  }
}

const isReaped = (variable: string, id: string): boolean =>
  markedProcesses(variable, id).some((pid) => /\breaper\.[jt]s\b/.test(commandLineOf(pid)));

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // already gone
  }
}

/**
 * Kills every process with `variable=value` in its environment, the caller excepted. A browser may be starting
 * children while it is killed, so it sweeps until nothing was found twice.
 */
export async function killMarkedProcesses(variable: string, value: string): Promise<void> {
  for (let empty = 0, round = 0; empty < 2 && round < 50; round++) {
    const pids = markedProcesses(variable, value).filter((pid) => pid !== process.pid);
    pids.forEach(kill);
    empty = pids.length > 0 ? 0 : empty + 1;
    await sleep(50);
  }
}
