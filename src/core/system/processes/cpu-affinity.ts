import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { foundOr } from '../../model/errors.ts';
import { processTree, readProcessTable } from './process-table.ts';

/** Words before a command line that keep it on these CPUs. */
export function pinPrefix(cpus: string | null): readonly string[] {
  return cpus === null ? [] : ['taskset', '-c', cpus];
}

const allCpusFile = '/sys/devices/system/cpu/online';

/** Sets the CPUs of all threads of processes: one line `cpus pid pid …` each time, answered by a line. */
const script = `while read -r cpus pids; do
  for pid in $pids; do taskset -a -c -p "$cpus" "$pid"; done >/dev/null 2>&1
  echo done
done`;

/**
 * A browser starts in half the time on all CPUs, and while it starts the server has nothing to do. So a worker that
 * was started on certain CPUs leaves them until its browser is made ready; from then on both keep to them.
 * A helper waits for that moment: to start one then would cost the worker tens of ms of CPU time after its fork.
 */
export class CpuAffinity {
  /** The CPUs that this process was given, as `taskset -c` writes them; null where it may use all. */
  readonly #given: string | null;
  readonly #helper: ChildProcessByStdio<Writable, Readable, null> | null = null;
  readonly #answers: Interface | null = null;

  private constructor(given: string | null) {
    this.#given = given;
    if (given === null) return;
    this.#helper = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    // Without a helper nothing is set, which `confine` sees.
    this.#helper.on('error', () => undefined);
    this.#helper.stdin.on('error', () => undefined);
    this.#answers = createInterface({ input: this.#helper.stdout });
  }

  /** Lets this process use all CPUs until `confine` is called. `taskset` is there, or it could not have been confined. */
  static async widen(): Promise<CpuAffinity> {
    const given = allowedCpus(process.pid);
    const all = readText(allCpusFile);
    if (given === null || all === null || given === all) return new CpuAffinity(null);
    const affinity = new CpuAffinity(given);
    await affinity.#set(all, [process.pid]);
    return affinity;
  }

  /**
   * Confines everything below this process to the CPUs that it was given, and itself to `ownCpus`, once more each time it is
   * called. Resolves with false when a process is still outside of them.
   *
   * @param ownCpus where this process works; null: where what is below it does
   */
  async confine(ownCpus: string | null): Promise<boolean> {
    const cpus = this.#given;
    if (cpus === null) return true;
    const own = ownCpus ?? cpus;
    if (allowedCpus(process.pid) !== own) await this.#set(own, [process.pid]);
    let outside = this.#outside(cpus);
    // A process may be born of a thread that is not yet confined: what was missed is caught the second time.
    for (let round = 0; round < 2 && outside.length > 0; round++) {
      await this.#set(cpus, outside);
      outside = this.#outside(cpus);
    }
    return outside.length === 0 && allowedCpus(process.pid) === own;
  }

  /** Ends the helper: nothing is confined any more, and this process may end. */
  end(): void {
    this.#helper?.stdin.end();
  }

  #outside(cpus: string): number[] {
    return processTree(readProcessTable(), process.pid)
      .filter(({ pid, zombie }) => !zombie && pid !== this.#helper?.pid && pid !== process.pid)
      .map(({ pid }) => pid)
      .filter((pid) => ![cpus, null].includes(allowedCpus(pid)));
  }

  async #set(cpus: string, pids: readonly number[]): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      this.#answers?.once('line', () => resolve());
      this.#answers?.once('close', resolve);
    });
    this.#helper?.stdin.write(`${cpus} ${pids.join(' ')}\n`);
    await answered;
  }
}

/**
 * Keeps this process, all its threads, and what it starts from now on to these CPUs; null, or where it cannot be done: to none in
 * particular. Returns what undoes it.
 */
export function keepTo(cpus: string | null, pids: readonly number[] = [process.pid]): () => void {
  const before = allowedCpus(process.pid);
  if (cpus === null || before === null) return () => undefined;
  const set = (wanted: string): void =>
    pids.forEach((pid) => spawnSync('taskset', ['-a', '-c', '-p', wanted, String(pid)], { stdio: 'ignore' }));
  set(cpus);
  return () => set(before);
}

/** The CPUs that a process may use, as `taskset -c` writes them; null where the system does not say, or the process has ended. */
export function allowedCpus(pid: number): string | null {
  const status = readText(`/proc/${pid}/status`);
  return /^Cpus_allowed_list:\s*(\S+)/m.exec(status ?? '')?.[1] ?? null;
}

function readText(file: string): string | null {
  return foundOr(() => readFileSync(file, 'latin1').trim(), null, 'ESRCH', 'EACCES');
}
