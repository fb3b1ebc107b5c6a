import type { ProcessCpu } from '../../src/model/raw-trial.ts';
import { processTree, readProcessTable, type ProcessRow } from '../../src/system/processes/process-table.ts';

/** CPU times of one browser's processes at one instant. */
export type CpuSnapshot = ReadonlyMap<number, ProcessRow>;

/** Reads the accounting of `rootPid` and all processes below it. */
export function cpuSnapshot(rootPid: number): CpuSnapshot {
  return new Map(processTree(readProcessTable(), rootPid).map((row) => [row.pid, row]));
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

/** The kernel counts in hundredths; sums of binary fractions must not show more digits. */
function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
