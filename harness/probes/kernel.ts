import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { ownInterface } from './own-interface.ts';
import { startPerf, type ControlledPerf } from './perf-control.ts';
import type { Probe, ProbeSession } from './probe.ts';

const csv = ['stat', '-x', ';'];

/** Counts of the kernel's tracepoints by name of the counter. The first is of the client's interface, the other of its processes. */
const eventOf = {
  netifReceiveSkbCalls: 'net:netif_receive_skb',
  syscalls: 'raw_syscalls:sys_enter',
} as const;

/** `perf stat` counts in the kernel and costs little; it prints when it ends. */
export const kernel: Probe = {
  id: 'kernel',
  title: 'calls of the kernel’s receive path and system calls of the client, by perf; for diagnosis',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  onThisMachine: true,
  forDiagnosis: true,
  counts: ['netifReceiveSkbCalls', 'syscalls'],
  setup: async (context) => {
    const device = ownInterface(context);
    const tree = processTree(readProcessTable(), context.rootPid).map(({ pid }) => pid);
    const counters = [
      await startPerf([...csv, '-a', '-e', eventOf.netifReceiveSkbCalls, '--filter', `name=="${device}"`]),
      await startPerf([...csv, '-p', tree.join(), '-e', eventOf.syscalls]),
    ];
    return sessionOf(counters);
  },
};

function sessionOf(counters: readonly ControlledPerf[]): ProbeSession {
  let said: readonly string[] = [];
  return {
    start: async () => void (await Promise.all(counters.map(({ enable }) => enable()))),
    stop: async () => {
      said = await Promise.all(counters.map(({ end }) => end()));
    },
    teardown: () => ({ counters: parseCounts(said.join('\n')) }),
  };
}

/** Lines of `value;unit;event;…` (perf-stat(1), CSV format). */
export function parseCounts(text: string): Record<string, number> {
  const byEvent = new Map(
    text.split('\n').flatMap((line) => {
      const [value, , event] = line.split(';');
      return event === undefined || !Number.isFinite(Number(value)) ? [] : [[event, Number(value)] as const];
    }),
  );
  return Object.fromEntries(
    Object.entries(eventOf).flatMap(([name, event]) => {
      const count = byEvent.get(event);
      return count === undefined ? [] : [[name, count]];
    }),
  );
}
