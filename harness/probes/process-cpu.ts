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
 * rows with the role `ended`.
 */
export function cpuBetween(before: CpuSnapshot, after: CpuSnapshot): ProcessCpu[] {
  const rows: ProcessCpu[] = [];
  for (const row of after.values()) {
    const start = before.get(row.pid);
    rows.push({
      pid: row.pid,
      role: processRole(row.commandLine),
      userSeconds: rounded(row.userSeconds - (start?.userSeconds ?? 0)),
      systemSeconds: rounded(row.systemSeconds - (start?.systemSeconds ?? 0)),
    });
  }
  const ended = endedBetween(before, after);
  if (ended.userSeconds + ended.systemSeconds > 0) rows.push(ended);
  return rows;
}

/**
 * User and system time are conserved when a process is waited for: they move to its parent's `c…` fields. So
 * what ended processes used after `before` is the growth of all `c…` fields less what the gone ones had then.
 */
function endedBetween(before: CpuSnapshot, after: CpuSnapshot): ProcessCpu {
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
    role: 'ended',
    userSeconds: Math.max(0, rounded(userSeconds)),
    systemSeconds: Math.max(0, rounded(systemSeconds)),
  };
}

/** The kernel counts in hundredths; sums of binary fractions must not show more digits. */
function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

/**
 * What a process of a browser does, from its command line. Chromium names the kind in `--type` and the service
 * of a utility process in `--utility-sub-type`; Firefox ends the command line of a child with its kind.
 */
export function processRole(commandLine: string): string {
  if (/\s-contentproc\s/.test(commandLine)) return firefoxRole(commandLine);
  const type = /\s--type=(\S+)/.exec(commandLine)?.[1];
  if (type === undefined) return 'browser';
  if (type === 'gpu-process') return 'gpu';
  if (type !== 'utility') return type;
  return /--utility-sub-type=network\.mojom/.test(commandLine) ? 'network' : 'utility';
}

const firefoxRoles: Readonly<Record<string, string>> = {
  socket: 'network',
  tab: 'renderer',
  gpu: 'gpu',
  rdd: 'rdd',
  utility: 'utility',
  forkserver: 'forkserver',
};

function firefoxRole(commandLine: string): string {
  const kind = commandLine.trim().split(/\s+/).at(-1) ?? '';
  return firefoxRoles[kind] ?? 'utility';
}
