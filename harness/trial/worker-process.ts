import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { endOfText } from '../../src/core/model/cut-text.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';
import {
  killWorker,
  runMarkerVariable,
  workerMarkerVariable,
} from '../../src/core/system/processes/marked-processes.ts';
import { ordinaryPriorityPrefix } from '../../src/core/system/processes/ordinary-priority.ts';
import type { TrialOrder, WorkerCommand, WorkerMessage } from './worker-protocol.ts';
import { directEnvironment } from '../../src/core/system/processes/trial-environment.ts';

export type DoneMessage = Extract<WorkerMessage, { type: 'done' }>;

/** What the runner does in the midst of a trial. */
export interface WorkerMoments {
  /** Called when the measurement is over and read out. */
  readonly measured: () => void;
  /** Holds the client to its share of a CPU before the measurement; absent where it has none. */
  readonly hold?: (rootPid: number) => Promise<void>;
  /** Brings what servers of another machine logged of it, when its client has ended; absent where they log here. */
  readonly fetch?: () => Promise<void>;
  /** Of a session whose page is not asked: resolves when it has told the server that it is over. */
  readonly ended?: Promise<void>;
}

export interface WorkerProcess {
  /** Resolves when the worker's modules are loaded. @throws H2h3Error `process-failed` when it ends instead. */
  readonly ready: Promise<void>;
  /** Gives the order: the client starts, comes to rest, and waits. What goes wrong with it is told by `begin`. */
  prepare(order: TrialOrder): void;
  /** Has it measured now. @throws H2h3Error `process-failed` or `deadline`. */
  begin(limitMs: number, moments: WorkerMoments): Promise<DoneMessage>;
  /** Asks it to end itself and its browser: the end of its standard input; after 5 s by force. */
  end(): Promise<void>;
  /** Of one on another machine: whether the connection over which it was started is no more. Absent: it is on this machine. */
  readonly isLost?: () => boolean;
  /** Epoch ms by the clock of the other machine; absent: by that of this one. */
  readonly nowEpochMs?: () => number;
}

const stderrKept = 4000;

/** Collects messages as they come; rejects when the process ends before the one awaited. */
function messages(child: ChildProcessWithoutNullStreams): {
  wait: (type: WorkerMessage['type']) => Promise<WorkerMessage>;
  stderrTail: () => string;
} {
  const got = new Map<string, WorkerMessage>();
  const waiting = new Map<
    string,
    { resolve: (message: WorkerMessage) => void; reject: (cause: Error) => void }
  >();
  let tail = '';
  let failure: Error | undefined;
  child.stderr
    .setEncoding('utf8')
    .on('data', (chunk: string) => (tail = endOfText(tail + chunk, stderrKept)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = jsonOf(line) as WorkerMessage | undefined;
    if (message === undefined) return; // cut off by the worker's end, which is reported
    if (message.type === 'unwritable') fail('storage', `the trial cannot be kept: ${message.reason}`);
    got.set(message.type, message);
    waiting.get(message.type)?.resolve(message);
  });
  const fail = (code: 'process-failed' | 'storage', what: string): void => {
    failure ??= new H2h3Error(code, what, { context: { stderrTail: tail.trim() } });
    for (const { reject } of waiting.values()) reject(failure);
  };
  child.on('error', (cause) =>
    fail('process-failed', `the trial worker could not be started: ${cause.message}`),
  );
  child.on('close', (code, signal) =>
    fail('process-failed', `the trial worker ended early (${signal ?? `exit code ${code}`})`),
  );
  return {
    wait: (type) =>
      new Promise((resolve, reject) => {
        const already = got.get(type);
        if (already) resolve(already);
        else if (failure) reject(failure);
        else waiting.set(type, { resolve, reject });
      }),
    stderrTail: () => tail,
  };
}

/** Answers the worker's wish that its client be held to a share of a CPU; a worker that ends has none. */
async function answerHold(
  channel: { readonly wait: (type: WorkerMessage['type']) => Promise<WorkerMessage> },
  hold: (rootPid: number) => Promise<void>,
  command: (line: WorkerCommand) => void,
): Promise<void> {
  const asked = await channel.wait('hold').catch(() => undefined);
  if (asked?.type !== 'hold') return;
  const refused = await hold(asked.rootPid).then(
    () => ({}),
    (thrown: unknown) => ({ refusal: messageOf(thrown) }),
  );
  command({ type: 'held', ...refused });
}

/** Has brought here what servers logged elsewhere; what cannot be is missing, and its server is told of by the outcome. */
async function answerFetch(
  channel: { readonly wait: (type: WorkerMessage['type']) => Promise<WorkerMessage> },
  fetch: () => Promise<void>,
  command: (line: WorkerCommand) => void,
): Promise<void> {
  const asked = await channel.wait('fetch').catch(() => undefined);
  if (asked === undefined) return;
  await fetch().catch(() => undefined);
  command({ type: 'fetched' });
}

/** Where a trial worker runs, and for which clients its modules are loaded. */
export interface WorkerPlace {
  /** Words before its command line: namespace and CPU pinning. */
  readonly prefix: readonly string[];
  readonly family: string;
  /** Of one on another machine: the network there over which its client goes, by its number. Absent: none of ours. */
  readonly network?: number;
}

/** Starts a trial worker in a session of its own: Ctrl-C is the runner's to handle. */
export function startWorker(
  { prefix, family }: WorkerPlace,
  environment: Readonly<Record<string, string>>,
): WorkerProcess {
  const script = moduleFile('./trial-worker.ts', import.meta.url);
  const [program = process.execPath, ...rest] = [
    ...prefix,
    ...ordinaryPriorityPrefix(),
    process.execPath,
    script,
    family,
  ];
  const workerId = randomUUID();
  const env = { ...directEnvironment(), ...environment, [workerMarkerVariable]: workerId };
  const child = spawn(program, rest, { detached: true, env });
  child.stdin.on('error', () => undefined); // a worker that died is reported by its end, not by the pipe
  const channel = messages(child);
  const ready = channel.wait('ready').then(() => undefined);
  ready.catch(() => undefined); // reported to the awaiter of `ready` or `begin`
  const killAll = (): Promise<void> => killWorker(environment[runMarkerVariable] ?? '', workerId);
  const command = (line: WorkerCommand): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  return {
    ready,
    prepare: (order) => command({ type: 'order', order }),
    begin: async (limitMs, { measured, hold, fetch, ended }) => {
      await ready;
      command({ type: 'begin' });
      channel.wait('measured').then(measured, () => undefined);
      if (fetch !== undefined) void answerFetch(channel, fetch, command);
      if (hold !== undefined) void answerHold(channel, hold, command);
      // What fails in it is told by the outcome.
      ended?.then(
        () => command({ type: 'ended' }),
        () => undefined,
      );
      const overdue = new H2h3Error(
        'deadline',
        `the trial worker gave no answer within ${Math.round(limitMs / 1000)} s`,
      );
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(overdue), limitMs)));
      try {
        return (await Promise.race([channel.wait('done'), limit])) as DoneMessage;
      } catch (thrown) {
        await killAll();
        throw thrown;
      } finally {
        clearTimeout(timer);
      }
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      child.stdin.end();
      const timer = setTimeout(() => void killAll(), 5000);
      await ended;
      clearTimeout(timer);
    },
  };
}
