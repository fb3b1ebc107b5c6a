import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { Namespace } from './namespace.ts';
import { rateChangeLine } from './netem-commands.ts';
import type { Trace } from './traces/trace.ts';

type StepTrace = Extract<Trace, { kind: 'steps' }>;

export interface PlayedTrace {
  readonly device: string;
  readonly queueBytes: number;
  readonly trace: StepTrace;
}

export interface TracePlayer {
  readonly socketPath: string;
  readonly begin: (line: string) => Promise<void>;
  readonly alive: () => boolean;
  readonly stop: () => Promise<void>;
}

/** A token bucket knows no rate of 0: less than a packet in a second stands for it. */
export const stillMbps = 0.008;

/** Where a trace stands at a time: the step in force, and when the next one begins. */
export function stepAt(
  trace: StepTrace,
  timeMs: number,
): { readonly mbps: number; readonly nextInMs: number } {
  const inTraceMs = timeMs % trace.lengthMs;
  const index = trace.steps.findLastIndex(({ startMs }) => startMs <= inTraceMs);
  const endMs = trace.steps[index + 1]?.startMs ?? trace.lengthMs;
  return { mbps: trace.steps[index]?.mbps ?? 0, nextInMs: endMs - inTraceMs };
}

/** The trace offset out of a line `start SEED OFFSET_NS`. @throws H2h3Error `internal` for any other line. */
export function offsetOfLine(line: string): number {
  const offsetNs = /^start \d+ (\d+)$/.exec(line)?.[1];
  if (offsetNs === undefined) throw new H2h3Error('internal', `not a line that starts a trace: ${line}`);
  return Number(offsetNs) / 1e6;
}

/** Follows traces by lines to one `tc -batch`, which costs microseconds each where a process of its own costs ms. */
export async function startTracePlayer(
  parts: readonly PlayedTrace[],
  middle: Namespace,
  socketPath: string,
  environment: Readonly<Record<string, string>>,
): Promise<TracePlayer> {
  const [program = '', ...args] = [
    ...middle.adminPrefix,
    'sh',
    '-c',
    'PATH="$PATH:/usr/sbin:/sbin"; exec tc -batch -',
  ];
  const tc = spawn(program, args, {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
    detached: true,
  });
  tc.on('error', () => undefined); // noticed by `alive`
  tc.stdin.on('error', () => undefined);
  const timers = new Set<NodeJS.Timeout>();
  const halt = (): void => {
    timers.forEach((timer) => clearTimeout(timer));
    timers.clear();
  };
  const follow = (part: PlayedTrace, beganMs: number, offsetMs: number): void => {
    const { mbps, nextInMs } = stepAt(part.trace, performance.now() - beganMs + offsetMs);
    tc.stdin.write(`${rateChangeLine(part.device, Math.max(stillMbps, mbps), part.queueBytes)}\n`);
    const timer = setTimeout(() => {
      timers.delete(timer);
      follow(part, beganMs, offsetMs);
    }, nextInMs);
    timers.add(timer);
  };
  const begin = (line: string): void => {
    const offsetMs = offsetOfLine(line);
    halt();
    for (const part of parts) follow(part, performance.now(), offsetMs);
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // the worker may be gone before its line was answered
    createInterface({ input: socket }).on('line', begin);
  });
  server.listen(socketPath);
  await once(server, 'listening');
  const alive = (): boolean => tc.exitCode === null && tc.signalCode === null;
  return {
    socketPath,
    begin: (line) => Promise.resolve(begin(line)),
    alive,
    stop: async () => {
      halt();
      server.close();
      if (!alive()) return;
      const ended = once(tc, 'exit');
      tc.stdin.end();
      await ended;
    },
  };
}
