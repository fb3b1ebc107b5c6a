import os from 'node:os';
import { join } from 'node:path';
import { cpuGovernor, hottestCelsius, readIfThere, watchCpus } from './machine.ts';

/** One thing about the machine that makes figures noisy. */
export interface NoiseCheck {
  readonly check: 'load' | 'governor' | 'steal' | 'thermal' | 'memory';
  readonly ok: boolean;
  /** What was found and why it matters, or why it could not be looked at. */
  readonly reason: string;
}

export interface NoiseCheckOptions {
  /** Root of the pseudo file systems; another one in tests. */
  readonly root?: string;
  /** How long other load and steal are watched, ms. */
  readonly intervalMs?: number;
}

const busyShareLimit = 0.1;
const stealShareLimit = 0.02;
const tooHotCelsius = 90;
const freeMemoryShareLimit = 0.1;
/** Share of time in which some task waited for memory, percent over 10 s (kernel's pressure stall information). */
const memoryPressureLimit = 1;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function cpuChecks(root: string, intervalMs: number): Promise<NoiseCheck[]> {
  const shares = await watchCpus(intervalMs, root);
  if (shares === null)
    return [{ check: 'load', ok: true, reason: 'the system does not say what its CPUs do' }];
  const { busy, steal } = shares;
  return [
    {
      check: 'load',
      ok: busy <= busyShareLimit,
      reason: `other programs used ${percent(busy)} of the CPUs in the second before the run (load average ${os.loadavg()[0]?.toFixed(1)}); they will disturb the blocks at random`,
    },
    {
      check: 'steal',
      ok: steal <= stealShareLimit,
      reason: `the hypervisor gave ${percent(steal)} of the CPU time to others`,
    },
  ];
}

function governorCheck(root: string): NoiseCheck {
  const governor = cpuGovernor(root);
  if (governor === null)
    return {
      check: 'governor',
      ok: true,
      reason: 'the frequency governor is not visible (usual in virtual machines)',
    };
  return {
    check: 'governor',
    ok: governor === 'performance',
    reason: `the frequency governor is "${governor}"${governor === 'performance' ? '' : '; with "performance" the clock would not depend on load'}`,
  };
}

function thermalCheck(root: string): NoiseCheck {
  const hottest = hottestCelsius(root);
  if (hottest === null)
    return { check: 'thermal', ok: true, reason: 'no temperature is visible (usual in virtual machines)' };
  const ok = hottest < tooHotCelsius;
  return {
    check: 'thermal',
    ok,
    reason: `the hottest zone has ${hottest.toFixed(0)} °C${ok ? '' : '; the clock may be throttled'}`,
  };
}

function memoryCheck(root: string): NoiseCheck {
  const info = readIfThere(join(root, 'proc/meminfo'));
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(info ?? '')?.[1] ?? NaN);
  const free = kilobytes('MemAvailable') / kilobytes('MemTotal');
  const pressure = Number(
    /^some avg10=([\d.]+)/m.exec(readIfThere(join(root, 'proc/pressure/memory')) ?? '')?.[1] ?? 0,
  );
  if (Number.isNaN(free))
    return { check: 'memory', ok: true, reason: 'the system does not say how much memory is free' };
  return {
    check: 'memory',
    ok: free >= freeMemoryShareLimit && pressure < memoryPressureLimit,
    reason: `${percent(free)} of memory is available, tasks waited for memory ${pressure} % of the last 10 s`,
  };
}

/** Looks at other load, governor, stolen time, temperature and memory for about a second. Changes nothing. */
export async function checkNoise({ root = '/', intervalMs = 1000 }: NoiseCheckOptions = {}): Promise<
  NoiseCheck[]
> {
  return [...(await cpuChecks(root, intervalMs)), governorCheck(root), thermalCheck(root), memoryCheck(root)];
}

/** The checks that failed, as warnings of a run. */
export function noiseWarnings(checks: readonly NoiseCheck[]): string[] {
  return checks.filter(({ ok }) => !ok).map(({ check, reason }) => `noise (${check}): ${reason}`);
}
