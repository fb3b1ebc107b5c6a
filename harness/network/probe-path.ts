import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { guardedEnvironment } from '../../src/core/system/processes/process-guard.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { Namespace } from './namespace.ts';

const timeoutMs = 40_000;

export const pingSchema = z.object({
  sent: z.number(),
  received: z.number(),
  medianUs: z.number(),
  minUs: z.number(),
  maxUs: z.number(),
});
export const udpReceiptSchema = z.object({
  /** On the clock of `process.hrtime`. */
  firstNs: z.number(),
  lastNs: z.number(),
  packets: z.number(),
  /** IP bytes between the first packet and the last. */
  mbps: z.number(),
  seconds: z.number(),
  /** Packets that a later one overtook. */
  overtaken: z.number(),
  /** Packets that came right behind themselves. */
  repeated: z.number(),
  medianDelayUs: z.number(),
});
export const udpSendingSchema = z.object({ sent: z.number(), failed: z.number(), mbps: z.number() });
export const tcpReceiptSchema = z.object({
  bytes: z.number(),
  /** Payload. */
  mbps: z.number(),
  /** Payload, second half of the time. */
  settledMbps: z.number(),
  seconds: z.number(),
});
export const tcpSendingSchema = z.object({
  retransmitted: z.number(),
  /** Linux begins at 3 and raises it when it sees packets overtake each other. */
  reordering: z.number(),
  congestionControl: z.string(),
});

interface StartedProbe {
  readonly ready: Promise<void>;
  readonly result: Promise<unknown>;
  readonly end: () => void;
}

function startProbe(place: Namespace, program: string, words: readonly string[]): StartedProbe {
  const [command = '', ...args] = [...place.adminPrefix, program, ...words];
  const env = { ...process.env, ...guardedEnvironment() };
  // Its standard input stays open for as long as this process lives, and not longer.
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  let last = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let say: (() => void) | undefined;
  const ready = new Promise<void>((resolve) => (say = resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') say?.();
    else last = line;
  });
  const result = new Promise<unknown>((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(
        new H2h3Error(
          'process-failed',
          `checking the path failed: path-probe ${words.join(' ')}: ${reason}`,
          {
            context: { stderrTail: tailOf(stderr) },
          },
        ),
      );
    child.once('error', (cause) => fail(cause.message));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      say?.();
      if (code !== 0) return fail(tailOf(stderr, 2) || `it ended with ${signal ?? code}`);
      try {
        resolve(JSON.parse(last));
      } catch (cause) {
        fail(messageOf(cause));
      }
    });
  });
  result.catch(() => undefined); // its awaiter is told; nothing awaits an echo that is ended
  return { ready, result, end: () => void child.kill('SIGTERM') };
}

/** Runs a probe to its end. @throws H2h3Error `process-failed` */
export async function probe<T>(
  place: Namespace,
  program: string,
  words: readonly (string | number)[],
  schema: z.ZodType<T>,
): Promise<T> {
  return schema.parse(await startProbe(place, program, words.map(String)).result);
}

export interface ReceiveOptions<T, U> {
  readonly place: Namespace;
  readonly program: string;
  readonly words: readonly (string | number)[];
  readonly schema: z.ZodType<T>;
  readonly send: () => Promise<U>;
}

/** Runs a receiver at one end while `send` runs a sender at the other. */
export async function receive<T, U>({
  place,
  program,
  words,
  schema,
  send,
}: ReceiveOptions<T, U>): Promise<{ readonly received: T; readonly sent: U }> {
  const receiver = startProbe(place, program, words.map(String));
  try {
    await receiver.ready;
    const sent = await send();
    return { received: schema.parse(await receiver.result), sent };
  } finally {
    receiver.end();
  }
}

/** Runs `body` while one end answers packets with themselves. */
export async function withEcho<T>(
  place: Namespace,
  program: string,
  port: number,
  body: () => Promise<T>,
): Promise<T> {
  const echo = startProbe(place, program, ['echo', String(port)]);
  try {
    await echo.ready;
    return await body();
  } finally {
    echo.end();
  }
}
