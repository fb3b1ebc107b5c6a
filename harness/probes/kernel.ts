import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { H2h3Error } from '../../src/model/errors.ts';
import { processTree, readProcessTable } from '../../src/system/processes/process-table.ts';
import { within } from '../clients/browsers/deadline.ts';
import { ownInterface } from './own-interface.ts';
import type { Probe, ProbeSession } from './probe.ts';

const limitMs = 5000;

/** Counts of the kernel's tracepoints by name of the counter. The first is of the client's interface, the others of its processes. */
const eventOf = {
  netifReceiveSkbCalls: 'net:netif_receive_skb',
  syscalls: 'raw_syscalls:sys_enter',
  contextSwitches: 'sched:sched_switch',
} as const;

/** `perf stat` counts in the kernel and costs little; it prints when it ends. */
export const kernel: Probe = {
  id: 'kernel',
  title:
    'calls of the kernel’s receive path, system calls and context switches of the client, by perf; for diagnosis',
  recorded: 'asked',
  forDiagnosis: true,
  counts: ['netifReceiveSkbCalls', 'syscalls'],
  setup: async (context) => {
    const device = ownInterface(context);
    const tree = processTree(readProcessTable(), context.rootPid).map(({ pid }) => pid);
    const counters = [
      await startCounting(['-a', '-e', eventOf.netifReceiveSkbCalls, '--filter', `name=="${device}"`]),
      await startCounting(['-p', tree.join(), '-e', `${eventOf.syscalls},${eventOf.contextSwitches}`]),
    ];
    return sessionOf(counters);
  },
};

interface Counting {
  readonly enable: () => Promise<void>;
  readonly end: () => Promise<string>;
}

function sessionOf(counters: readonly Counting[]): ProbeSession {
  let said: readonly string[] = [];
  return {
    start: async () => void (await Promise.all(counters.map(({ enable }) => enable()))),
    stop: async () => {
      said = await Promise.all(counters.map(({ end }) => end()));
    },
    teardown: () => ({ counters: parseCounts(said.join('\n')) }),
  };
}

/** Starts `perf stat` with its counters off. @throws H2h3Error `unsupported` with what perf said. */
async function startCounting(words: readonly string[]): Promise<Counting> {
  const child = spawn('perf', ['stat', '-x', ';', '-D', '-1', '--control', 'fd:3,4', ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  let text = '';
  const stderr = child.stderr as Readable;
  stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = once(child, 'close');
  const failed = ended.then(() => Promise.reject(unsupported(text)));
  failed.catch(() => undefined); // told to whoever waits for an answer
  await Promise.race([answerTo(child, 'ping'), failed]);
  return {
    enable: () => Promise.race([answerTo(child, 'enable'), failed]),
    end: async () => {
      child.kill('SIGINT');
      await within(ended, limitMs, 'perf stat');
      return text;
    },
  };
}

function unsupported(said: string): H2h3Error {
  return new H2h3Error(
    'unsupported',
    `perf cannot count here: ${said.trim().split('\n').slice(-2).join(' ')}`,
    {
      next: 'Install perf (linux-perf) and run as root, or with kernel.perf_event_paranoid at −1 and tracefs readable.',
    },
  );
}

/** perf acknowledges each word with `ack` (perf-stat(1), `--control`). */
async function answerTo(child: ChildProcess, word: string): Promise<void> {
  const [control, answer] = [child.stdio[3] as Duplex, child.stdio[4] as Readable];
  control.on('error', () => undefined); // a perf that ended says why on its standard error
  control.write(`${word}\n`);
  await within(once(answer, 'data'), limitMs, 'perf stat');
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
