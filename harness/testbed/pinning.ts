import { spawnSync } from 'node:child_process';
import type { z } from 'zod';
import type { pinningSchema } from '../../src/core/model/environment.ts';

export type Pinning = z.infer<typeof pinningSchema>;

export interface PinningContext {
  readonly cpuCount: number;
  /** Whether `taskset` (util-linux) can be run. */
  readonly hasTaskset: boolean;
}

export function pinningContext(cpuCount: number): PinningContext {
  return { cpuCount, hasTaskset: spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0 };
}

/**
 * Separate CPUs for browser and server, so that the one's load is not the other's delay: with two CPUs one
 * each, with three the browser has two, from four on the server has the upper half.
 */
export function choosePinning(context: PinningContext): Pinning {
  const { cpuCount, hasTaskset } = context;
  if (!hasTaskset)
    return {
      browserCpus: null,
      serverCpus: null,
      note: 'taskset is not there: the system places all processes',
    };
  if (cpuCount < 2)
    return { browserCpus: null, serverCpus: null, note: 'one CPU only: browser and server share it' };
  const serverFirst = cpuCount < 4 ? cpuCount - 1 : Math.ceil(cpuCount / 2);
  return { browserCpus: cpuRange(0, serverFirst - 1), serverCpus: cpuRange(serverFirst, cpuCount - 1) };
}

/** Where no server is ours the browser may have every CPU, as it has with its users. */
export const unpinned: Pinning = {
  browserCpus: null,
  serverCpus: null,
  note: 'no server runs here: the browser has every CPU',
};

/** The same where servers run on another machine. */
export const serverElsewhere: Pinning = {
  ...unpinned,
  note: 'the server runs on another machine: the browser has every CPU of this one',
};

/** And where clients do. */
export const clientElsewhere: Pinning = {
  ...unpinned,
  note: 'the browser runs on another machine, and has every CPU of that; the server has every CPU of this one',
};

/** And where both are on machines of their own. */
export const bothElsewhere: Pinning = {
  ...unpinned,
  note: 'browser and server run on other machines, and each has every CPU of its own',
};

/**
 * CPUs of a trial's client, as `taskset -c` writes them; null: none in particular.
 *
 * @param asked what the arm says; undefined: those that the server does not have
 * @param cpuCount of the machine, for where no server of ours has CPUs there
 */
export function clientCpus(
  { browserCpus, serverCpus }: Pick<Pinning, 'browserCpus' | 'serverCpus'>,
  asked: { readonly count: number | null } | undefined,
  cpuCount: number,
): string | null {
  if (asked === undefined) return browserCpus;
  // What this process may use itself is less where servers have CPUs of their own.
  const last = serverCpus === null ? cpuCount - 1 : lastOf(serverCpus);
  return cpuRange(0, asked.count === null ? last : asked.count - 1);
}

/** Of a range such as `2-3`. */
const lastOf = (cpus: string): number => Number(cpus.split('-').at(-1));

function cpuRange(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}
