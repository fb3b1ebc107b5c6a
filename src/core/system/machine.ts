import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../model/environment.ts';
import { foundOr } from '../model/errors.ts';

/** Text of a file of the system; null where this system has none, or does not let it be read. */
export function readIfThere(file: string): string | null {
  const codes = ['EACCES', 'EAGAIN', 'EINVAL', 'EIO', 'ENODATA', 'ENODEV', 'ENXIO', 'EOPNOTSUPP'];
  return foundOr(() => readFileSync(file, 'utf8').trim(), null, ...codes);
}

/** What decides the clock speed of the CPUs; null where it is not told (usual in virtual machines). */
export function cpuGovernor(root = '/'): string | null {
  return readIfThere(join(root, 'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'));
}

/** Of the hottest thermal zone, °C (sysfs-api.rst: `temp` in thousandths); null where none is visible (usual in virtual machines). */
export function hottestCelsius(root = '/'): number | null {
  const folder = join(root, 'sys/class/thermal');
  const readings = foundOr(() => readdirSync(folder), [])
    .filter((name) => name.startsWith('thermal_zone'))
    .map((name) => readIfThere(join(folder, name, 'temp')) ?? '')
    .filter((reading) => /^-?\d+$/.test(reading));
  return readings.length === 0 ? null : Math.max(...readings.map((reading) => Number(reading) / 1000));
}

/** Shares of the time of all CPUs. */
export interface CpuShares {
  readonly busy: number;
  /** What the hypervisor gave to others. */
  readonly steal: number;
}

/** Columns of /proc/stat's first line, in ticks: user nice system idle iowait irq softirq steal (proc_stat(5)). */
function cpuTicks(root: string): number[] | null {
  const line = readIfThere(join(root, 'proc/stat'))?.split('\n')[0];
  return line === undefined ? null : line.trim().split(/\s+/).slice(1, 9).map(Number);
}

/** What the CPUs do from now on until it is asked for; null where the system does not say, or nothing was counted. */
export function cpusFromNow(root = '/'): () => CpuShares | null {
  const before = cpuTicks(root);
  return () => {
    const after = cpuTicks(root);
    if (!before || !after) return null;
    const spent = after.map((ticks, column) => ticks - (before[column] ?? 0));
    const total = spent.reduce((sum, ticks) => sum + ticks, 0);
    if (total <= 0) return null;
    const [, , , idle = 0, waiting = 0, , , steal = 0] = spent;
    return { busy: Math.max(0, total - idle - waiting - steal) / total, steal: steal / total };
  };
}

/** What the CPUs did during `intervalMs`; null as `cpusFromNow` has it. */
export async function watchCpus(intervalMs: number, root = '/'): Promise<CpuShares | null> {
  const shares = cpusFromNow(root);
  await sleep(intervalMs);
  return shares();
}

/** As this program found it: later it keeps itself off the CPUs that the browser is to have. */
const cpuCount = os.availableParallelism();

/** What a machine is; what it does at the moment is told apart. */
export type MachineKind = Omit<Environment['machine'], 'stealShare'>;

/** The machine as a reader of the results must know it, but for what its hypervisor takes, which takes time to see. */
export function machineKind(): MachineKind {
  const cpus = os.cpus();
  return {
    platform: `${os.platform()} ${os.arch()}`,
    kernel: `${os.type()} ${os.release()}`,
    cpuModel: cpus[0]?.model.trim() ?? 'unknown',
    cpuCount,
    memoryBytes: os.totalmem(),
    governor: cpuGovernor(),
    loadAverage1m: os.loadavg()[0] ?? 0,
    temperatureCelsius: hottestCelsius(),
    virtualised: virtualMachine(),
  };
}

/** All that a reader of the results must know of the machine. */
export async function describeMachine(): Promise<Environment['machine']> {
  return { ...machineKind(), stealShare: (await watchCpus(200))?.steal ?? null };
}

/** Product names by which virtual machines give themselves away where the CPU has no flag for it. */
const virtualProducts = /kvm|qemu|virtual|vmware|hvm|bochs|openstack|compute engine|droplet/i;

/** What kind of virtual machine this is; null for a physical one, whose product has a name as well. */
export function virtualMachine(): string | null {
  const product = readIfThere('/sys/class/dmi/id/product_name');
  const flagged = readIfThere('/proc/cpuinfo')?.includes('hypervisor') === true;
  if (product !== null) return flagged || virtualProducts.test(product) ? product : null;
  return flagged ? 'yes (kind unknown)' : null;
}
