import { readFileSync } from 'node:fs';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { ActivityInterval } from '../../src/core/model/raw-trial.ts';
import { quotaStatistics, throttledMsIn } from '../../src/core/system/processes/cpu-controllers.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { parseInterfaces, readInterfaces } from '../../src/core/system/interface-counters.ts';
import { atIntervals } from './at-intervals.ts';
import { ownInterface } from './own-interface.ts';
import type { Probe, ProbeContext } from './probe.ts';
import { threadFiles } from '../../src/core/system/processes/thread-files.ts';

/** Short against a download of seconds; each reading costs well below a millisecond. */
const intervalMs = 100;
const maxSamples = 6000;
/** A period of a quota that one reading counts and the reading before had begun. */
const maxLateShare = 0.25;

/** One reading, unparsed. */
interface Sample {
  readonly epochMs: number;
  /** `schedstat` by thread of the client's networking process. */
  readonly receiver: ReadonlyMap<string, string>;
  /** `cpu.stat` of every group whose quota that process is under. */
  readonly quotas: readonly string[];
  /** The same of the server's processes. */
  readonly sender: ReadonlyMap<string, string>;
  readonly interfaces: string;
}

/** How busy the networking process, the server and the client's interface were, ten times a second. */
export const activity: Probe = {
  id: 'activity',
  title: 'how busy networking process, server and link are, ten times a second; for diagnosis',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  onThisMachine: true,
  forDiagnosis: true,
  setup: (context) => {
    const device = ownInterface(context);
    const receiver = networkingProcess(context);
    const server = context.launch.server?.pid;
    if (server === undefined) throw new H2h3Error('unsupported', 'the server runs elsewhere');
    const senders = processTree(readProcessTable(), server).map(({ pid }) => pid);
    const senderCpus = allowedCpus(server);
    const samples: Sample[] = [];
    const take = (): void => {
      if (samples.length >= maxSamples) return;
      const receivers = receiver();
      samples.push({
        epochMs: performance.timeOrigin + performance.now(),
        receiver: threadFiles(receivers, 'schedstat'),
        quotas: receivers.flatMap(quotaStatistics),
        sender: threadFiles(senders, 'schedstat'),
        interfaces: readInterfaces(),
      });
    };
    return {
      ...atIntervals(take, intervalMs),
      teardown: () => {
        const intervals = intervalsOf(samples, device, senderCpus);
        return { raw: { activity: intervals }, counters: { clientCpuWithheldMs: withheldMs(intervals) } };
      },
    };
  },
};

/**
 * Chromium's network service; where no process does the networking alone, the client's first one. A program that waits for
 * its start behind a shell is not there yet when the probe is set up: it is looked for until it is.
 */
export function networkingProcess({
  rootPid,
  processRole,
}: Pick<ProbeContext, 'rootPid' | 'processRole'>): () => readonly number[] {
  const find = (): number | undefined =>
    processTree(readProcessTable(), rootPid).find(({ commandLine }) => processRole(commandLine) === 'network')
      ?.pid;
  let found = find();
  const root = readProcessTable().find(({ pid }) => pid === rootPid);
  if (found === undefined && processRole(root?.commandLine ?? null) !== 'launcher') found = rootPid;
  return () => {
    found ??= find();
    return found === undefined ? [] : [found];
  };
}

function allowedCpus(pid: number): number {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return list.split(',').reduce((sum, range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return sum + last - first + 1;
  }, 0);
}

/** What happened between each reading and the next. */
export function intervalsOf(
  samples: readonly Sample[],
  device: string,
  senderCpus: number,
): ActivityInterval[] {
  const spans = samples.slice(1).flatMap((after, index) => {
    const before = samples[index];
    const durationMs = after.epochMs - (before?.epochMs ?? after.epochMs);
    if (before === undefined || durationMs <= 0) return [];
    const busy = grownMs(before.receiver, after.receiver).map(({ ranMs, waitedMs }) => ranMs + waitedMs);
    return [{ before, after, durationMs, busyMs: Math.max(0, ...busy) }];
  });
  const withheldMs = withheldIn(spans);
  return spans.map(({ before, after, durationMs, busyMs }, index) => {
    const sender = grownMs(before.sender, after.sender).reduce((sum, { ranMs }) => sum + ranMs, 0);
    return {
      startEpochMs: before.epochMs,
      durationMs,
      receiver: share(busyMs, durationMs),
      receiverWithheld: share(withheldMs[index] ?? 0, durationMs),
      sender: share(sender, durationMs * senderCpus),
      receivedBytes: bytesOf(after, device) - bytesOf(before, device),
    };
  });
}

interface Span {
  readonly before: Sample;
  readonly after: Sample;
  readonly durationMs: number;
  readonly busyMs: number;
}

/**
 * The time of each span in which a quota withheld the CPU. The kernel counts it when it gives the CPU back, so what a span has
 * no room for belongs to the one before; no more than edges blur, because several CPUs may have been withheld at once.
 */
function withheldIn(spans: readonly Span[]): number[] {
  let lateMs = 0;
  return spans
    .toReversed()
    .map(({ before, after, durationMs, busyMs }) => {
      const countedMs = Math.max(0, throttledMs(after) - throttledMs(before)) + lateMs;
      const roomMs = Math.max(0, durationMs - busyMs);
      lateMs = Math.min(Math.max(0, countedMs - roomMs), maxLateShare * durationMs);
      return Math.min(countedMs, roomMs);
    })
    .toReversed();
}

function withheldMs(intervals: readonly ActivityInterval[]): number {
  return intervals.reduce((sum, { receiverWithheld, durationMs }) => sum + receiverWithheld * durationMs, 0);
}

function throttledMs({ quotas }: Sample): number {
  return quotas.reduce((sum, statistics) => sum + throttledMsIn(statistics), 0);
}

function share(ms: number, ofMs: number): number {
  return Math.round(Math.min(1, ms / ofMs) * 1000) / 1000;
}

function bytesOf({ interfaces }: Sample, device: string): number {
  return parseInterfaces(interfaces).get(device)?.receivedBytes ?? 0;
}

/** Time on a CPU and time ready for one, by thread (Linux `Documentation/scheduler/sched-stats.rst`: both in ns). */
function grownMs(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): { readonly ranMs: number; readonly waitedMs: number }[] {
  return [...after].map(([thread, text]) => {
    const [ran = 0, waited = 0] = figures(text);
    const [ranBefore = 0, waitedBefore = 0] = figures(before.get(thread) ?? '0 0');
    return { ranMs: (ran - ranBefore) / 1e6, waitedMs: (waited - waitedBefore) / 1e6 };
  });
}

function figures(text: string): number[] {
  return text.trim().split(' ').map(Number);
}
