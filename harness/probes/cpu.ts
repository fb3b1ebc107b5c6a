import type { Probe } from './probe.ts';
import { cpuBetween, cpuSnapshot, type CpuSnapshot } from '../../src/core/system/processes/process-cpu.ts';

/** CPU time of the client's processes: the operating system's accounting, read before and after. */
export const cpu: Probe = {
  id: 'cpu',
  title: 'CPU time of each process of the client, from the operating system',
  recorded: 'usually',
  inTimed: true,
  accountsCpu: true,
  setup: ({ rootPid, processes, processRole }) => {
    const read = async (): Promise<CpuSnapshot> =>
      processes === undefined
        ? cpuSnapshot(rootPid)
        : new Map((await processes()).map((row) => [row.pid, row]));
    let before: CpuSnapshot | null = null;
    let after: CpuSnapshot | null = null;
    return {
      start: async () => {
        before = await read();
      },
      stop: async () => {
        after = await read();
      },
      teardown: () => (before && after ? { raw: { cpu: cpuBetween(before, after, processRole) } } : {}),
    };
  },
};
