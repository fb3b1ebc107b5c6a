import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { H2h3Error } from '../../model/errors.ts';
import { cpuControllers, groupOf, throttledMsIn, type CpuController } from './cpu-controllers.ts';
import { processTree, readProcessTable } from './process-table.ts';

/** Short against what is measured, so that a share is felt as a slower CPU and not as pauses; the default is 100 ms. */
const periodUs = 20_000;
const limitMs = 5_000;

/** What the kernel says of a control group with a quota, read back. */
export interface CpuQuota {
  readonly controller: CpuController['version'];
  /** CPU time of all CPUs together that its processes get in each period, ms. */
  readonly quotaMs: number;
  readonly periodMs: number;
}

export interface CpuShareOptions {
  /** 100 is one CPU. */
  readonly percent: number;
  /** Tells whose control group it is. */
  readonly name: string;
  /** Words before a command of the administrator's; empty: we are that, or there is none. */
  readonly adminPrefix: readonly string[];
}

/**
 * Makes the group, proves with a process of its own that it takes some, then moves the processes that it is told: one line
 * of ids each time, answered by a line. It removes the group when its standard input ends, however the run ended; the
 * group must be empty for that, and those who end the run's processes may need some seconds.
 */
const holder = `set -e
dir=$1; version=$2; quota=$3; period=$4
mkdir "$dir"
leave() { n=0; until rmdir "$dir" 2>/dev/null || [ "$n" -ge 200 ]; do n=$((n+1)); sleep 0.1; done; }
trap leave EXIT
trap 'exit 0' TERM INT HUP
if [ "$version" = 'cgroup v2' ]; then echo "$quota $period" > "$dir/cpu.max"
else echo "$period" > "$dir/cpu.cfs_period_us"; echo "$quota" > "$dir/cpu.cfs_quota_us"; fi
sh -c 'echo $$ > "$0/cgroup.procs"' "$dir"
echo made
while read -r pids; do
  for pid in $pids; do echo "$pid" > "$dir/cgroup.procs" || :; done
  echo moved
done 2>/dev/null`;

/** A control group whose processes together get a share of a CPU. */
export class CpuShare {
  readonly quota: CpuQuota;
  readonly #controller: CpuController;
  readonly #directory: string;
  readonly #holder: ChildProcessWithoutNullStreams;
  readonly #answers: Interface;

  private constructor(
    controller: CpuController,
    directory: string,
    child: ChildProcessWithoutNullStreams,
    answers: Interface,
  ) {
    this.#controller = controller;
    this.#directory = directory;
    this.#holder = child;
    this.#answers = answers;
    this.quota = readQuota(controller, directory);
  }

  /** @throws H2h3Error `unsupported` with every reason where no group with a quota can be made */
  static async open(options: CpuShareOptions): Promise<CpuShare> {
    const reasons: string[] = [];
    for (const controller of cpuControllers()) {
      const made = await tryToMake(controller, options);
      if (typeof made !== 'string') return new CpuShare(controller, made.directory, made.child, made.answers);
      reasons.push(`${controller.directory}: ${made}`);
    }
    throw new H2h3Error('unsupported', 'no control group with a share of a CPU can be made here', {
      context: {
        expected: 'a CPU controller of cgroup v1 or v2 that this user may make groups under',
        got: reasons.join('; ') || 'no CPU controller is mounted',
      },
      next: 'Run as root (in a container: --privileged, or a writable /sys/fs/cgroup), or leave the factor cpu out.',
    });
  }

  /**
   * Holds a process and all below it to the share; what they start later belongs to it as well.
   *
   * @returns how many there are
   * @throws H2h3Error `process-failed` when one stays outside
   */
  async hold(rootPid: number): Promise<number> {
    let outside = this.#outside(rootPid);
    // A process may be born of one that was not yet held: what was missed is caught the next time.
    for (let round = 0; round < 3 && outside.length > 0; round++) {
      const answered = once(this.#answers, 'line', { signal: AbortSignal.timeout(limitMs) });
      this.#holder.stdin.write(`${outside.join(' ')}\n`);
      await answered;
      outside = this.#outside(rootPid);
    }
    if (outside.length > 0)
      throw new H2h3Error(
        'process-failed',
        `${outside.length} processes could not be held to the share of a CPU`,
      );
    return processTree(readProcessTable(), rootPid).length;
  }

  #outside(rootPid: number): number[] {
    return processTree(readProcessTable(), rootPid)
      .filter(({ zombie }) => !zombie)
      .map(({ pid }) => pid)
      .filter((pid) => {
        const group = groupOf(pid, this.#controller);
        return group !== null && group !== this.#directory;
      });
  }

  /** Time for which its CPUs were withheld from it so far, ms. */
  throttledMs(): number {
    return throttledMsIn(readFileSync(join(this.#directory, 'cpu.stat'), 'utf8'));
  }

  async stop(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return;
    const ended = once(this.#holder, 'exit');
    this.#holder.stdin.end();
    await ended;
  }
}

/** The group with its holder, or why there is none. */
async function tryToMake(
  controller: CpuController,
  { percent, name, adminPrefix }: CpuShareOptions,
): Promise<
  | {
      readonly directory: string;
      readonly child: ChildProcessWithoutNullStreams;
      readonly answers: Interface;
    }
  | string
> {
  const directory = join(controller.directory, `h2h3-${name}-${percent}`);
  const figures = [String((percent * periodUs) / 100), String(periodUs)];
  const words = [...adminPrefix, 'sh', '-c', holder, 'sh', directory, controller.version, ...figures];
  const [program = 'sh', ...args] = words;
  // In a session of its own, and without the run's marker: what ends the run's leftovers must not keep it from removing the group.
  const child = spawn(program, args, { stdio: 'pipe', detached: true });
  child.stdin.on('error', () => undefined); // a holder that ended is noticed where its answer is awaited
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const answers = createInterface({ input: child.stdout });
  const made = await Promise.race([
    once(answers, 'line').then(() => true),
    once(child, 'close').then(() => false),
  ]);
  if (!made) return said.trim().split('\n').at(-1) ?? 'it ended without a word';
  return { directory, child, answers };
}

function readQuota(controller: CpuController, directory: string): CpuQuota {
  const read = (file: string): string => readFileSync(join(directory, file), 'utf8').trim();
  const [quotaUs, readPeriodUs] =
    controller.version === 'cgroup v2'
      ? read('cpu.max').split(' ').map(Number)
      : [Number(read('cpu.cfs_quota_us')), Number(read('cpu.cfs_period_us'))];
  const milliseconds = (microseconds = Number.NaN): number => microseconds / 1000;
  return {
    controller: controller.version,
    quotaMs: milliseconds(quotaUs),
    periodMs: milliseconds(readPeriodUs),
  };
}
