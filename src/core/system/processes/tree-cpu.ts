import {
  ofLiving,
  parseStat,
  processFolders,
  processTree,
  readProcessTable,
  statOf,
  type ProcessRow,
} from './process-table.ts';

/** What of `/proc` is read (proc_pid_stat(5)). */
export interface ProcFolder {
  /** Names of all processes' folders. */
  readonly names: () => readonly string[];
  /** Text of a process's `stat`; undefined: it has ended. */
  readonly stat: (name: string) => string | undefined;
}

/** After so many readings every process is read again: its id may have gone to one of the tree meanwhile. */
const readAgainAfter = 20;

/**
 * Reads the CPU time that `rootPid` and all processes below it have used, those that ended included, in seconds. Whoever waits
 * for rest reads it twenty times a second. So what was found outside of the tree is left out from then on: to read every process
 * of a machine takes some milliseconds each time, which the machine that is measured should have for itself.
 */
export function treeCpuReader(rootPid: number, proc: ProcFolder | null = procFolder()): () => number {
  if (proc === null) return () => cpuSecondsOf(processTree(readProcessTable(), rootPid));
  const outside = new Set<number>();
  let readings = 0;
  return () => {
    if (readings++ % readAgainAfter === 0) outside.clear();
    const rows = proc
      .names()
      .filter((name) => !outside.has(Number(name)))
      .flatMap((name) => {
        const stat = proc.stat(name);
        return stat === undefined ? [] : parseStat(Number(name), stat, '');
      });
    const tree = processTree(rows, rootPid);
    const inside = new Set(tree.map(({ pid }) => pid));
    for (const { pid } of rows) if (!inside.has(pid)) outside.add(pid);
    return cpuSecondsOf(tree);
  };
}

/** The folder of this machine; null where the system has none. */
function procFolder(): ProcFolder | null {
  if (process.platform !== 'linux') return null;
  return { names: processFolders, stat: (name) => ofLiving(() => statOf(name)) };
}

function cpuSecondsOf(rows: readonly ProcessRow[]): number {
  return rows.reduce(
    (sum, row) =>
      sum +
      row.userSeconds +
      row.systemSeconds +
      row.endedChildrenUserSeconds +
      row.endedChildrenSystemSeconds,
    0,
  );
}
