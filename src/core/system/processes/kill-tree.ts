import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrno } from '../../model/errors.ts';
import { markedProcesses, workerMarkerVariable } from './marked-processes.ts';
import { isAlive } from './process-identity.ts';
import { processTree, readProcessTable, withDescendants, type ProcessRow } from './process-table.ts';

const pollMs = 4;

/**
 * Ends `rootPid`, all processes below it and all of its process group at once by SIGKILL, and resolves when
 * none of them is left (true) or `limitMs` has passed (false). A browser that is thrown away with its profile
 * has nothing to save, and a graceful end takes several times as long.
 */
export async function killTree(rootPid: number, limitMs = 5000): Promise<boolean> {
  const rows = readProcessTable();
  const pids = new Set(processTree(rows, rootPid).map((row) => row.pid));
  for (const row of rows) if (row.groupId === rootPid) pids.add(row.pid);
  for (const pid of pids) sendKill(pid);
  const endMs = performance.now() + limitMs;
  while (performance.now() < endMs) {
    if (![...pids].some(isAlive) || livingGroup(rootPid, pids).length === 0) return true;
    await sleep(pollMs);
  }
  return false;
}

/**
 * Kills everything that this process started, and waits without giving way until none of it runs or `limitMs` has passed:
 * until a process is gone it may still write into its profile. A browser's crash handler leaves its parents and its
 * session as it starts, and the children of a killed process lose theirs: what has the mark of this worker, or was found
 * below it once, counts as well.
 */
export function killDescendants(limitMs = 2000): void {
  const endMs = performance.now() + limitMs;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const workerId = process.env[workerMarkerVariable];
  let found = new Set([process.pid]);
  for (;;) {
    const rows = readProcessTable();
    const marked = workerId === undefined ? [] : markedProcesses(workerMarkerVariable, workerId);
    found = withDescendants(rows, [...found, ...marked]);
    const spared = ancestors(rows, process.pid);
    const living = rows.filter(({ pid, zombie }) => found.has(pid) && !spared.includes(pid) && !zombie);
    if (living.length === 0 || performance.now() > endMs) return;
    for (const { pid } of living) sendKill(pid);
    Atomics.wait(clock, 0, 0, pollMs);
  }
}

/** Ids of a process and of those above it: the words before a worker's command line may run on and have its mark. */
function ancestors(rows: readonly ProcessRow[], pid: number): number[] {
  const parents = new Map(rows.map((row) => [row.pid, row.parentPid]));
  const above: number[] = [];
  for (let at: number | undefined = pid; at !== undefined && !above.includes(at); at = parents.get(at))
    above.push(at);
  return above;
}

function livingGroup(groupId: number, pids: ReadonlySet<number>): number[] {
  const living: number[] = [];
  for (const row of readProcessTable()) {
    if (row.zombie || !(pids.has(row.pid) || row.groupId === groupId)) continue;
    living.push(row.pid);
    sendKill(row.pid); // a child that was being born while its parent was killed
  }
  return living;
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if (!hasErrno(thrown, 'ESRCH')) throw thrown;
  }
}
