import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { startPerf } from './perf-control.ts';
import type { Probe, ProbeYield } from './probe.ts';

const run = promisify(execFile);
/** After so much perf itself ends a recording: two and a half million calls. */
const maxRecorded = '256M';
const maxSummaryBytes = 16_000_000;

/** System calls by which a client takes in what the network brought (recv(2), read(2)). */
const receiveCalls = new Set(['read', 'readv', 'recvfrom', 'recvmsg', 'recvmmsg']);

/** System calls that wait: their time is the network's. */
const waitingCalls =
  /^(epoll_p?wait2?|p?poll|p?select6?|futex(_waitv)?|(clock_)?nanosleep|wait4|waitid|rt_sigtimedwait|restart_syscall)$/;

/** Records each system call of the client, and what `perf trace` sums up of them: how long it was in which, by wall clock. */
export const syscallTimes: Probe = {
  id: 'syscall-times',
  title: 'time of the client in system calls by name, by perf',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  onThisMachine: true,
  counts: ['receiveCallPercent'],
  setup: async ({ rootPid, tempDir }) => {
    await mkdir(tempDir, { recursive: true });
    const file = join(tempDir, 'syscalls.data');
    const events = 'raw_syscalls:sys_enter,raw_syscalls:sys_exit';
    const tree = processTree(readProcessTable(), rootPid).map(({ pid }) => pid);
    const recording = ['-e', events, '--no-buildid-cache', '--max-size', maxRecorded, '-o', file];
    const perf = await startPerf(['record', ...recording, '-p', tree.join()]);
    return {
      start: () => perf.enable(),
      stop: async () => void (await perf.end()),
      teardown: async () => {
        const words = ['trace', '--summary', '--input', file];
        const { stdout, stderr } = await run('perf', words, { maxBuffer: maxSummaryBytes });
        return summed(`${stdout}${stderr}`);
      },
    };
  },
};

/** Lines of `name calls errors total …`, total in ms, below a heading for each thread (perf-trace(1), `--summary`). */
export function parseSummary(text: string): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const [, name = '', totalMs] of text.matchAll(/^ +([a-z]\w*) +\d+ +\d+ +([\d.]+) /gm))
    totals.set(name, (totals.get(name) ?? 0) + Number(totalMs));
  return totals;
}

function summed(text: string): ProbeYield {
  const atWork = [...parseSummary(text)].filter(([name]) => !waitingCalls.test(name));
  const sumOf = (calls: typeof atWork): number => calls.reduce((sum, [, ms]) => sum + ms, 0);
  const all = sumOf(atWork);
  if (all === 0) return { warnings: ['perf saw no system call of the client'] };
  const receiving = sumOf(atWork.filter(([name]) => receiveCalls.has(name)));
  const byName = atWork.map(([name, ms]) => [`syscallMs:${name}`, ms] as const);
  return { counters: { receiveCallPercent: (100 * receiving) / all, ...Object.fromEntries(byName) } };
}
