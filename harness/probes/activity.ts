import { readdirSync, readFileSync } from 'node:fs';
import { H2h3Error, hasErrno } from '../../src/model/errors.ts';
import type { ActivityInterval } from '../../src/model/raw-trial.ts';
import { processTree, readProcessTable } from '../../src/system/processes/process-table.ts';
import { ownInterface, parseInterfaces, readInterfaces } from './own-interface.ts';
import type { Probe, ProbeContext } from './probe.ts';

/** Short against a download of seconds; each reading costs well below a millisecond. */
const intervalMs = 100;
const mostSamples = 6000;

/** One reading, unparsed. */
interface Sample {
  readonly epochMs: number;
  /** `schedstat` by thread of the client's networking process. */
  readonly receiver: ReadonlyMap<string, string>;
  /** The same of the server's processes. */
  readonly sender: ReadonlyMap<string, string>;
  readonly interfaces: string;
}

/** How busy the networking process, the server and the client's interface were, ten times a second. */
export const activity: Probe = {
  id: 'activity',
  title: 'how busy networking process, server and link are, ten times a second; for diagnosis',
  recorded: 'asked',
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
      if (samples.length < mostSamples)
        samples.push({
          epochMs: performance.timeOrigin + performance.now(),
          receiver: threadsOf(receiver()),
          sender: threadsOf(senders),
          interfaces: readInterfaces(),
        });
    };
    let timer: NodeJS.Timeout | undefined;
    return {
      start: () => {
        take();
        timer = setInterval(take, intervalMs);
      },
      stop: () => {
        clearInterval(timer);
        take();
      },
      teardown: () => ({ raw: { activity: intervalsOf(samples, device, senderCpus) } }),
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

/** `/proc/PID/task/TID/schedstat` of every thread; threads and processes may end at any time. */
function threadsOf(pids: readonly number[]): ReadonlyMap<string, string> {
  const threads = new Map<string, string>();
  for (const pid of pids)
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`))
        threads.set(thread, readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
    } catch (thrown) {
      if (!hasErrno(thrown, 'ENOENT') && !hasErrno(thrown, 'ESRCH')) throw thrown;
    }
  return threads;
}

/** What happened between each reading and the next. */
export function intervalsOf(
  samples: readonly Sample[],
  device: string,
  senderCpus: number,
): ActivityInterval[] {
  return samples.slice(1).flatMap((after, index) => {
    const before = samples[index];
    const durationMs = after.epochMs - (before?.epochMs ?? after.epochMs);
    if (before === undefined || durationMs <= 0) return [];
    const receiver = grownMs(before.receiver, after.receiver).map(({ ranMs, waitedMs }) => ranMs + waitedMs);
    const sender = grownMs(before.sender, after.sender).reduce((sum, { ranMs }) => sum + ranMs, 0);
    return [
      {
        startEpochMs: before.epochMs,
        durationMs,
        receiver: share(Math.max(0, ...receiver), durationMs),
        sender: share(sender, durationMs * senderCpus),
        receivedBytes: bytesOf(after, device) - bytesOf(before, device),
      },
    ];
  });
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
