import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { H2h3Error, hasErrno } from '../model/errors.ts';
import { storageError } from './journal.ts';

const lockFile = 'run.lock';

/**
 * When a process started, in the kernel's ticks since the machine did (field 22 of proc_pid_stat(5)); null where the
 * system does not say. With it a number that was given to another process after a restart is told from the holder's.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'ESRCH')) return null;
    throw thrown;
  }
}

/** The living process that wrote this lock, or null. */
function holderOf(file: string): number | null {
  const [pidText, start] = readFileSync(file, 'utf8').trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  const now = startOf(pid);
  return start !== undefined && now !== null && start !== now ? null : pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return hasErrno(thrown, 'EPERM');
  }
}

/** Whether a living process is measuring in this run directory. */
export function isRunning(path: string): boolean {
  try {
    return holderOf(join(path, lockFile)) !== null;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT')) return false;
    throw thrown;
  }
}

/**
 * Takes the run directory for this process, so that two runs never write one journal. A lock whose process
 * is gone (killed) is taken over. Returns the release.
 *
 * @throws H2h3Error `usage` when a living process holds it.
 */
export function lockRunDirectory(path: string, pid: number): () => void {
  const file = join(path, lockFile);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, [pid, startOf(pid) ?? []].flat().join(' '), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (thrown) {
      if (!hasErrno(thrown, 'EEXIST')) throw storageError(thrown, file);
      const holder = holderOf(file);
      if (holder !== null && holder !== pid) {
        throw new H2h3Error('usage', `process ${holder} is already running in ${path}`, {
          next: 'Wait for it, or stop it with Ctrl-C and continue with `h2h3 run --resume`.',
        });
      }
      rmSync(file, { force: true });
    }
  }
  throw new H2h3Error('usage', `cannot lock ${path}`);
}
