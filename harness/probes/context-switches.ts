import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import type { Probe } from './probe.ts';
import { threadFiles } from '../../src/core/system/processes/thread-files.ts';

/** `status` by thread. */
type Reading = ReadonlyMap<string, string>;

/**
 * How often the client's threads gave up the CPU, and how often it was taken from them, by their own accounts: no perf and no
 * privilege is needed. What threads did that ended before the second reading is not known any more.
 */
export const contextSwitches: Probe = {
  id: 'context-switches',
  title: 'how often the client’s threads gave up the CPU or lost it, from /proc; for diagnosis',
  recorded: 'asked',
  disturbs: true,
  inTimed: true,
  onThisMachine: true,
  forDiagnosis: true,
  counts: ['contextSwitches'],
  setup: ({ rootPid }) => {
    const readings: Reading[] = [];
    const take = (): void => void readings.push(threadsBelow(rootPid));
    return {
      start: take,
      stop: take,
      teardown: () => {
        const [before, after] = readings;
        return before === undefined || after === undefined
          ? {}
          : { counters: switchesBetween(before, after) };
      },
    };
  },
};

function threadsBelow(rootPid: number): Reading {
  return threadFiles(
    processTree(readProcessTable(), rootPid).map(({ pid }) => pid),
    'status',
  );
}

/** By the lines `voluntary_ctxt_switches` and `nonvoluntary_ctxt_switches` of proc_pid_status(5). */
export function switchesBetween(before: Reading, after: Reading): Record<string, number> {
  const grown = (kind: 'voluntary' | 'nonvoluntary'): number =>
    [...after].reduce(
      (sum, [thread, status]) => sum + countIn(status, kind) - countIn(before.get(thread) ?? '', kind),
      0,
    );
  const voluntary = grown('voluntary');
  const involuntary = grown('nonvoluntary');
  return { contextSwitches: voluntary + involuntary, involuntaryContextSwitches: involuntary };
}

function countIn(status: string, kind: string): number {
  return Number(new RegExp(`^${kind}_ctxt_switches:\\s*(\\d+)$`, 'm').exec(status)?.[1] ?? 0);
}
