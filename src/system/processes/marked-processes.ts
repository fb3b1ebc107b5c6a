import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Processes are found by a variable in their environment, which children inherit: browsers start theirs in
 * sessions of their own, so neither process groups nor parents find them all once something was killed.
 */
export const runMarkerVariable = 'H2H3_RUN_ID';
export const workerMarkerVariable = 'H2H3_WORKER_ID';

function carries(pid: string, marker: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(marker);
  } catch {
    return false; // the process has ended meanwhile, or is another user's
  }
}

/** Ids of the processes with `variable=value` in their environment. */
export function markedProcesses(variable: string, value: string): number[] {
  const marker = `${variable}=${value}`;
  if (process.platform === 'linux') {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return all.filter((pid) => carries(pid, marker)).map(Number);
  }
  const listing = execFileSync('ps', ['eww', '-axo', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const lines = listing.split('\n').filter((line) => line.split(' ').includes(marker));
  return lines.map((line) => Number.parseInt(line, 10)).filter(Number.isInteger);
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
