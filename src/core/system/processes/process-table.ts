import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { hasErrno } from '../../model/errors.ts';

/** One process as the operating system accounts for it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Words of the command line joined by blanks; empty for kernel threads and zombies. */
  readonly commandLine: string;
  readonly zombie: boolean;
  readonly userSeconds: number;
  readonly systemSeconds: number;
  /** CPU time of children that ended and were waited for, with their own such children; 0 where unknown (macOS). */
  readonly endedChildrenUserSeconds: number;
  readonly endedChildrenSystemSeconds: number;
}

/** USER_HZ: the unit of times in /proc/PID/stat is 1/100 s on every Linux platform that browsers run on (proc_pid_stat(5)). */
const ticksPerSecond = 100;

/** Every process of the machine that this user can see. */
export function readProcessTable(platform: NodeJS.Platform = process.platform): ProcessRow[] {
  return platform === 'linux' ? readProc() : parsePs(readPs());
}

/** `root` and all processes below it, parents before children. */
export function processTree(rows: readonly ProcessRow[], rootPid: number): ProcessRow[] {
  const byParent = Map.groupBy(rows, (row) => row.parentPid);
  const tree = rows.filter((row) => row.pid === rootPid);
  // The list grows while it is walked: each process is followed by its children further on.
  for (const row of tree)
    tree.push(...(byParent.get(row.pid) ?? []).filter((child) => child.pid !== row.pid));
  return tree;
}

/** Ids of these processes and of all below them, whatever became of the marks that any of them had. */
export function withDescendants(rows: readonly ProcessRow[], pids: Iterable<number>): Set<number> {
  const roots = [...pids];
  return new Set([...roots, ...roots.flatMap((pid) => processTree(rows, pid).map((row) => row.pid))]);
}

/** Names of all processes' folders below `/proc`. */
export const processFolders = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** What is read of a process or a thread below `/proc`; undefined where it has ended meanwhile. */
export function ofLiving<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'ESRCH')) return undefined;
    throw thrown;
  }
}

export const statOf = (folder: string): string => readFileSync(`/proc/${folder}/stat`, 'latin1');

function readProc(): ProcessRow[] {
  return processFolders().flatMap((name) => {
    const row = ofLiving(() =>
      parseStat(Number(name), statOf(name), readFileSync(`/proc/${name}/cmdline`, 'utf8')),
    );
    return row ?? [];
  });
}

/** Reads `/proc/PID/stat` (proc_pid_stat(5)) and `/proc/PID/cmdline`. */
export function parseStat(pid: number, stat: string, commandLine: string): ProcessRow {
  // The second field is the program's name in parentheses and may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (index: number): number => Number(fields[index]) / ticksPerSecond;
  return {
    pid,
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    commandLine: commandLine.replaceAll('\0', ' ').trim(),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    userSeconds: seconds(11),
    systemSeconds: seconds(12),
    endedChildrenUserSeconds: seconds(13),
    endedChildrenSystemSeconds: seconds(14),
  };
}

function readPs(): string {
  return execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,stat=,utime=,time=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Reads `ps -axww -o pid=,ppid=,pgid=,stat=,utime=,time=,command=` of macOS and the BSDs: `time` is user and system. */
export function parsePs(text: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s*(.*)$/.exec(line);
    if (match === null) continue;
    const [, pid, parentPid, groupId, state = '', user = '', total = '', commandLine = ''] = match;
    const userSeconds = clockSeconds(user);
    rows.push({
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      commandLine,
      zombie: state.startsWith('Z'),
      userSeconds,
      systemSeconds: Math.max(0, clockSeconds(total) - userSeconds),
      endedChildrenUserSeconds: 0,
      endedChildrenSystemSeconds: 0,
    });
  }
  return rows;
}

/** `[days-][hours:]minutes:seconds[.fraction]` to seconds. */
function clockSeconds(text: string): number {
  const [clock = '', days = '0'] = text.split('-').toReversed();
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
