import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOfRun, lockLimitOf, lockLimits, runPidOf } from './lock-limit.ts';
import { isAlive } from './process-identity.ts';
import { readProcessTable, withDescendants } from './process-table.ts';

/**
 * Processes are found by a variable in their environment, which children inherit: browsers start theirs in
 * sessions of their own, so neither process groups nor parents find them all once something was killed. What a user's
 * program starts may have neither, and is found by its limit of locks (`lock-limit.ts`).
 */
export const runMarkerVariable = 'H2H3_RUN_ID';
export const workerMarkerVariable = 'H2H3_WORKER_ID';
/**
 * Of programs that are run to their end outside of any run. What one of them leaves on purpose (a server of adb, an agent of
 * keys) is not taken for what a killed run left.
 */
export const guardMarkerVariable = 'H2H3_GUARD_ID';

const sweepEveryMs = 50;

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

/** Ids of the processes whose limit of locks is such. */
function limitedProcesses(isMeant: (limit: bigint) => boolean): number[] {
  return [...lockLimits()].filter(([, limit]) => isMeant(limit)).map(([pid]) => pid);
}

const pidNamespaceOf = (pid: string): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null; // ended meanwhile, or another user's
  }
};

/** Whether a process sees the same process ids as this one: otherwise the number in a run's id means another process. */
const isHere = (pid: string | number): boolean => pidNamespaceOf(String(pid)) === pidNamespaceOf('self');

/** Values of the variable that begin with the id of a process that is gone, by the processes that still have it (Linux). */
function abandoned(variable: string): string[] {
  if (process.platform !== 'linux') return [];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isHere(name));
  const ids = all.flatMap((pid) => valueOf(pid, variable) ?? []);
  return [...new Set(ids)].filter((id) => {
    const pid = /^(\d+)-/.exec(id)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
}

/** A reaper that still works is given so long. */
const reaperPatienceMs = 10_000;

/**
 * Ends what runs left that were killed together with all that would have ended it: with their marks, and without them.
 *
 * @returns how many processes it ended
 */
export async function endAbandonedRuns(variable = runMarkerVariable): Promise<number> {
  const endMs = performance.now() + reaperPatienceMs;
  let ended = 0;
  for (const id of abandoned(variable)) {
    while (isReaped(variable, id) && performance.now() < endMs) await sleep(sweepEveryMs);
    ended += await killAll(() => markedProcesses(variable, id));
  }
  const isAbandoned = (limit: bigint): boolean => runPidOf(limit) > 0 && !isAlive(runPidOf(limit));
  const left = (): number[] => limitedProcesses(isAbandoned).filter(isHere);
  return left().length > 0 ? ended + (await killAll(left)) : ended;
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
 * Kills every process that `find` names and all below it, the caller excepted. A browser may be starting children while
 * it is killed, so it sweeps until nothing was found twice, or for `quietMs`.
 *
 * @returns how many it killed
 */
async function killAll(find: () => number[], spared: readonly number[] = [], quietMs = 0): Promise<number> {
  const killed = new Set<number>();
  let quietSinceMs = performance.now();
  for (let empty = 0, round = 0; round < 100; round++) {
    const marked = find();
    const all = marked.length === 0 ? [] : [...withDescendants(readProcessTable(), marked)];
    const pids = all.filter((pid) => pid !== process.pid && !spared.includes(pid));
    for (const pid of pids) {
      kill(pid);
      killed.add(pid);
    }
    if (pids.length > 0) quietSinceMs = performance.now();
    empty = pids.length > 0 ? 0 : empty + 1;
    if (empty >= 2 && performance.now() - quietSinceMs >= quietMs) break;
    await sleep(sweepEveryMs);
  }
  return killed.size;
}

export interface KillRunOptions {
  /** Processes that stay: those that end the run. Default: none. */
  readonly spared?: readonly number[];
  /** For how long nothing may appear any more, ms. Default: until it was found empty twice. */
  readonly quietMs?: number;
}

/** Kills what is marked as the run's, or as under a guard of this id, in its environment or by a limit of locks. */
export async function killRun(runId: string, { spared, quietMs }: KillRunOptions = {}): Promise<void> {
  const find = (): number[] => [
    ...markedProcesses(runMarkerVariable, runId),
    ...markedProcesses(guardMarkerVariable, runId),
    ...limitedProcesses((limit) => isOfRun(limit, runId)),
  ];
  await killAll(find, spared, quietMs);
}

/** Kills a trial worker with all that it and the user's programs below it started. */
export async function killWorker(runId: string, workerId: string): Promise<void> {
  const ownLimit = lockLimitOf(runId, workerId);
  await killAll(() => [
    ...markedProcesses(workerMarkerVariable, workerId),
    ...limitedProcesses((limit) => limit === ownLimit),
  ]);
}

/**
 * The limit of locks of a program of the user's that gets these variables: that of the trial worker which starts it, else one
 * of its own.
 */
export function limitForCommand(environment: Readonly<Record<string, string | undefined>>): bigint {
  const command = environment[workerMarkerVariable] ?? randomUUID();
  return lockLimitOf(environment[runMarkerVariable] ?? '', command);
}

/** Kills what a command of the user's left that was started under this limit of locks. */
export async function killLimited(limit: bigint): Promise<void> {
  const left = (): number[] => limitedProcesses((bytes) => bytes === limit);
  if (left().length > 0) await killAll(left);
}
