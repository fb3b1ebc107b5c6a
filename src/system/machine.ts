import { readFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../model/environment.ts';
import { hasErrno } from '../model/errors.ts';

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || hasErrno(thrown, 'EACCES') || hasErrno(thrown, 'EINVAL')) return null;
    throw thrown;
  }
}

/** Columns of /proc/stat's first line, in ticks: user nice system idle iowait irq softirq steal. */
function cpuTicks(): number[] | null {
  const line = readIfThere('/proc/stat')?.split('\n')[0];
  return line === undefined ? null : line.trim().split(/\s+/).slice(1, 9).map(Number);
}

const stealColumn = 7;

/** Share of CPU time that the hypervisor gave to others during `intervalMs`; null where the system does not say. */
export async function measureStealShare(intervalMs: number): Promise<number | null> {
  const before = cpuTicks();
  await sleep(intervalMs);
  const after = cpuTicks();
  if (!before || !after) return null;
  const spent = after.map((ticks, column) => ticks - (before[column] ?? 0));
  const total = spent.reduce((sum, ticks) => sum + ticks, 0);
  return total > 0 ? (spent[stealColumn] ?? 0) / total : null;
}

/** The machine as a reader of the results must know it. */
export async function describeMachine(): Promise<Environment['machine']> {
  const cpus = os.cpus();
  return {
    platform: `${os.platform()} ${os.arch()}`,
    kernel: `${os.type()} ${os.release()}`,
    cpuModel: cpus[0]?.model.trim() ?? 'unknown',
    cpuCount: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    governor: readIfThere('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'),
    loadAverage1m: os.loadavg()[0] ?? 0,
    stealShare: await measureStealShare(200),
    virtualised: virtualMachine(),
  };
}

/** Product names by which virtual machines give themselves away where the CPU has no flag for it. */
const virtualProducts = /kvm|qemu|virtual|vmware|hvm|bochs|openstack|compute engine|droplet/i;

/** What kind of virtual machine this is; null for a physical one, whose product has a name as well. */
function virtualMachine(): string | null {
  const product = readIfThere('/sys/class/dmi/id/product_name');
  const flagged = readIfThere('/proc/cpuinfo')?.includes('hypervisor') === true;
  if (product !== null) return flagged || virtualProducts.test(product) ? product : null;
  return flagged ? 'yes (kind unknown)' : null;
}
