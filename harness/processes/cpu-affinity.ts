import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasErrno } from '../../src/model/errors.ts';
import { processTree, readProcessTable } from './process-table.ts';

const allCpusFile = '/sys/devices/system/cpu/online';

/**
 * A browser starts in half the time on all CPUs, and while it starts the server has nothing to do. So a worker that
 * was started on certain CPUs leaves them until the measurement begins; from then on it and its browser keep to them.
 */
export class CpuAffinity {
  /** The CPUs that this process was given, as `taskset -c` writes them; null where it may use all. */
  readonly #given: string | null;

  private constructor(given: string | null) {
    this.#given = given;
  }

  /** Lets this process use all CPUs until `keepTo` is called. */
  static widen(): CpuAffinity {
    const given = allowedCpus(process.pid);
    const all = readText(allCpusFile);
    if (given === null || all === null || given === all) return new CpuAffinity(null);
    return new CpuAffinity(setCpus(all, [process.pid]) ? given : null);
  }

  /**
   * Confines this process and everything below it to the CPUs that it was given. Returns false when a process is
   * still outside of them.
   */
  confine(): boolean {
    const cpus = this.#given;
    if (cpus === null) return true;
    // A process may be born of a thread that is not yet confined: what was missed is caught the second time.
    for (let round = 0; round < 2; round++) {
      const outside = processTree(readProcessTable(), process.pid)
        .filter(({ zombie, pid }) => !zombie && allowedCpus(pid) !== cpus)
        .map(({ pid }) => pid);
      if (outside.length === 0) return true;
      setCpus(cpus, outside);
    }
    return processTree(readProcessTable(), process.pid).every(({ zombie, pid }) => {
      const now = allowedCpus(pid);
      return zombie || now === null || now === cpus;
    });
  }
}

/** All threads of these processes. `taskset` is there, or the worker could not have been given its CPUs. */
function setCpus(cpus: string, pids: readonly number[]): boolean {
  const script =
    'cpus=$1; shift; for pid; do taskset -a -c -p "$cpus" "$pid" || failed=1; done; exit ${failed:-0}';
  const words = ['-c', script, 'sh', cpus, ...pids.map(String)];
  return spawnSync('sh', words, { stdio: 'ignore' }).status === 0;
}

/** Null where the system does not say, or the process has ended. */
function allowedCpus(pid: number): string | null {
  const status = readText(`/proc/${pid}/status`);
  return /^Cpus_allowed_list:\s*(\S+)/m.exec(status ?? '')?.[1] ?? null;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'latin1').trim();
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'ESRCH') || hasErrno(thrown, 'EACCES')) return null;
    throw thrown;
  }
}
