import type { Probe } from './probe.ts';
import { cpuBetween, cpuSnapshot, type CpuSnapshot } from './process-cpu.ts';

/** CPU time of the client's processes: the operating system's accounting, read before and after. */
export const cpu: Probe = {
  id: 'cpu',
  title: 'CPU time of each process of the client, from the operating system',
  recorded: 'usually',
  accountsCpu: true,
  setup: ({ rootPid, processRole }) => {
    let before: CpuSnapshot | null = null;
    let after: CpuSnapshot | null = null;
    return {
      start: () => {
        before = cpuSnapshot(rootPid);
      },
      stop: () => {
        after = cpuSnapshot(rootPid);
      },
      teardown: () => (before && after ? { raw: { cpu: cpuBetween(before, after, processRole) } } : {}),
    };
  },
};
