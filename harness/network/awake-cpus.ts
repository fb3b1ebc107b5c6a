import path from 'node:path';
import { readIfThere, virtualMachine } from '../../src/core/system/machine.ts';
import { startKeeper, type HeldMachine } from './keeper.ts';
import type { Privilege } from './privilege.ts';

/** `sleep`: idle CPUs of a virtual machine are left as they are. */
export const idleCpusVariable = 'H2H3_IDLE_CPUS';

export interface AwakeCpus extends HeldMachine {
  /** Whether they may wake late. */
  readonly wakeLate: boolean;
}

interface AwakeCpusOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What kind of virtual machine this is; null: none. Default: as the machine says. */
  readonly virtualised?: string | null;
  /** Folder of the kernel's idle states, and its device of wanted latencies. Defaults: Linux's. */
  readonly statesDir?: string;
  readonly device?: string;
}

const lateWakes = 'idle CPUs of this virtual machine may wake late, and packets with them';

/**
 * Keeps the CPUs of a virtual machine from sleeping while a path is up. The hypervisor gives the CPU of a guest that
 * sleeps to others, and brings it back late: a packet whose time has come then waits for milliseconds. A wanted latency
 * of 0 lets the guest's idle loop poll (Linux, Documentation/power/pm_qos_interface.rst). That lasts as long as the
 * device is open, and what polls counts as idle in all that is measured.
 *
 * Physical CPUs wake within some 0.1 ms, so that theirs are left to sleep.
 */
export async function keepCpusAwake(privilege: Privilege, options: AwakeCpusOptions): Promise<AwakeCpus> {
  const {
    environment,
    virtualised = virtualMachine(),
    statesDir = '/sys/devices/system/cpu/cpu0/cpuidle',
    device = '/dev/cpu_dma_latency',
  } = options;
  const stop = (): Promise<void> => Promise.resolve();
  if (virtualised === null) return { wakeLate: false, note: null, stop };
  const undone = (reason: string): AwakeCpus => ({ wakeLate: true, note: `${lateWakes}: ${reason}`, stop });
  if (environment[idleCpusVariable] === 'sleep') return undone(`${idleCpusVariable}=sleep leaves them so`);
  if (Number(readIfThere(path.join(statesDir, 'state0', 'latency')) ?? NaN) !== 0)
    return undone('its kernel has no idle state that polls');
  if (privilege.kind === 'user-namespace') return undone('as root h2h3 keeps them awake');
  const opened = [`exec 3> '${device}'`, String.raw`printf '\0\0\0\0' >&3`];
  const keeper = await startKeeper(privilege, opened);
  if (keeper === null) return undone(`${device} cannot be written`);
  return {
    wakeLate: false,
    note: 'idle CPUs of this virtual machine are kept awake while this path is up',
    stop: keeper.stop,
  };
}
