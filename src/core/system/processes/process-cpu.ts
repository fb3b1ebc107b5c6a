import type { ProcessCpu } from '../../model/raw-trial.ts';
import { processTree, readProcessTable, type ProcessRow } from './process-table.ts';
import { threadFiles } from './thread-files.ts';

/** CPU times of one browser's processes at one instant. */
export type CpuSnapshot = ReadonlyMap<number, ProcessRow>;

/** Reads the accounting of `rootPid` and all processes below it. */
export function cpuSnapshot(rootPid: number): CpuSnapshot {
  return new Map(
    processTree(readProcessTable(), rootPid).map((row) => [row.pid, inNanoseconds(row, ranSeconds(row.pid))]),
  );
}

/** User and system time of /proc/PID/stat are each cut to a hundredth of a second; as much again runs between the two readings. */
const cutSeconds = 0.04;

/**
 * The times of a process, in nanoseconds where none of its threads has ended: what threads that ended had used is in the hundredths
 * of the process alone.
 *
 * @param ranSeconds CPU time of the threads that it has; null where the system does not tell
 */
export function inNanoseconds(row: ProcessRow, ranSeconds: number | null): ProcessRow {
  const hundredths = row.userSeconds + row.systemSeconds;
  if (ranSeconds === null || ranSeconds < hundredths || ranSeconds >= hundredths + cutSeconds) return row;
  const userShare = hundredths === 0 ? 1 : row.userSeconds / hundredths;
  return { ...row, userSeconds: ranSeconds * userShare, systemSeconds: ranSeconds * (1 - userShare) };
}

const nanosecondsPerSecond = 1e9;

/** CPU time of all threads that a process has (first field of `schedstat`: ns on a CPU); null where the system does not tell. */
function ranSeconds(pid: number): number | null {
  const threads = [...threadFiles([pid], 'schedstat').values()];
  if (threads.length === 0) return null;
  return threads.reduce((sum, text) => sum + Number(text.split(' ')[0]) / nanosecondsPerSecond, 0);
}

/**
 * CPU seconds of each process between two snapshots. Processes that began in between count whole; what
 * processes that ended in between had used is found in their parents' accounting of ended children and makes
 * a row of its own.
 */
export function cpuBetween(
  before: CpuSnapshot,
  after: CpuSnapshot,
  roleOf: (commandLine: string | null) => string,
): ProcessCpu[] {
  const rows: ProcessCpu[] = [];
  for (const row of after.values()) {
    const start = before.get(row.pid);
    rows.push({
      pid: row.pid,
      role: roleOf(row.commandLine),
      userSeconds: rounded(row.userSeconds - (start?.userSeconds ?? 0)),
      systemSeconds: rounded(row.systemSeconds - (start?.systemSeconds ?? 0)),
    });
  }
  const ended = endedBetween(before, after, roleOf(null));
  if (ended.userSeconds + ended.systemSeconds > 0) rows.push(ended);
  return rows;
}

/**
 * User and system time are conserved when a process is waited for: they move to its parent's `c…` fields. So
 * what ended processes used after `before` is the growth of all `c…` fields less what the gone ones had then.
 */
function endedBetween(before: CpuSnapshot, after: CpuSnapshot, role: string): ProcessCpu {
  let userSeconds = 0;
  let systemSeconds = 0;
  for (const row of after.values()) {
    userSeconds += row.endedChildrenUserSeconds;
    systemSeconds += row.endedChildrenSystemSeconds;
  }
  for (const row of before.values()) {
    const gone = !after.has(row.pid);
    userSeconds -= row.endedChildrenUserSeconds + (gone ? row.userSeconds : 0);
    systemSeconds -= row.endedChildrenSystemSeconds + (gone ? row.systemSeconds : 0);
  }
  return {
    pid: 0,
    role,
    userSeconds: Math.max(0, rounded(userSeconds)),
    systemSeconds: Math.max(0, rounded(systemSeconds)),
  };
}

/** Microseconds: sums of binary fractions must not show more digits. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
