import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { linkQueueSchema, type LinkQueue } from '../../src/core/model/link-queue.ts';
import { linkCourseSchema, type LinkCourse, type LinkFigures } from '../../src/core/model/schedule.ts';
import { linkFlowSchema, type LinkFlow } from '../../src/core/model/raw-trial.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import { loggedFlowSchema, type LoggedFlow } from './connection-flights.ts';
import { endWithInput } from './held-child.ts';
import type { OffloadState } from './network.ts';

const readySchema = z.object({
  ready: z.literal(true),
  realtime: z.boolean(),
  tcpOffload: z.boolean(),
  udpOffload: z.boolean(),
});

const directionStatsSchema = z.object({
  packetsIn: z.number(),
  bytesIn: z.number(),
  packetsOut: z.number(),
  bytesOut: z.number(),
  /** Of `bytesIn`, by transport. */
  tcpBytesIn: z.number(),
  udpBytesIn: z.number(),
  /** By random loss. */
  lost: z.number(),
  /** By the full queue. */
  queueDrops: z.number(),
  /** By what manages the queue, full or not; and marked instead. */
  aqmDrops: z.number(),
  marked: z.number(),
  /** Copies that the path made. */
  duplicated: z.number(),
  /** Not the path's doing: no memory left, or the device would not take a packet. */
  noRoomDrops: z.number(),
  writeErrors: z.number(),
  /** Dropped where they came in: no whole header of IP. */
  malformed: z.number(),
  lateMaxUs: z.number(),
  /** Packets released at least so late. */
  late500us: z.number(),
  late1000us: z.number(),
  late2000us: z.number(),
  late5000us: z.number(),
  late10000us: z.number(),
});

const statsSchema = z.object({
  up: directionStatsSchema,
  down: directionStatsSchema,
  cpuUs: z.number(),
  wakes: z.number(),
});
export type EmulatorStats = z.infer<typeof statsSchema>;

const flightsSchema = z.array(loggedFlowSchema);
const flowsSchema = z.object({ unlistedPackets: z.number(), flows: z.array(linkFlowSchema) });

export interface EmulatorOptions {
  /** Words before the command: administrator of the namespaces, CPU. */
  readonly prefix: readonly string[];
  readonly program: string;
  /** Files of the namespaces of client and server, such as /proc/PID/ns/net. */
  readonly clientNamespace: string;
  readonly serverNamespace: string;
  readonly device: string;
  readonly controlSocket: string;
  /** Whether the ends may hand over super-packets, which are cut before they cross. */
  readonly offloads: OffloadState;
  /** Settings of each direction (`directionSettings`). */
  readonly up: string;
  readonly down: string;
  /** Another client of the path: the file of its namespace, and its address. Absent: there is none. */
  readonly crossTraffic?: { readonly namespace: string; readonly address: string };
  readonly environment: Readonly<Record<string, string>>;
}

export interface EmulatorProcess {
  /** Whether it got real-time priority. */
  readonly realtime: boolean;
  /** Whether the ends hand over super-packets of TCP and of UDP. */
  readonly tcpOffload: boolean;
  readonly udpOffload: boolean;
  readonly alive: () => boolean;
  readonly stats: () => Promise<EmulatorStats>;
  /** Of both directions since `begin`; null where there were more than it can list. */
  readonly flows: () => Promise<readonly LinkFlow[] | null>;
  /** The first packets of each of the first flows since `begin`. */
  readonly flights: () => Promise<readonly LoggedFlow[]>;
  /** What its queues did since `begin`. */
  readonly queue: () => Promise<LinkQueue>;
  /** What it did, time after time, since `begin`. */
  readonly course: () => Promise<LinkCourse>;
  /** Begins both directions' traces and schedules at these offsets and their random numbers at this seed. */
  readonly begin: (line: string) => Promise<void>;
  /** Sets figures of both directions from now on; what is left out is each direction's own. */
  readonly change: (figures: LinkFigures) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Where packets come faster than this, work is gathered: each sleep and wake-up costs about 20 µs of CPU time on a
 * virtual machine, and without it the emulator would take the CPU that browser and server need.
 */
const quantumUs = 250;
const startTimeoutMs = 15_000;
const answerTimeoutMs = 20_000;
/** `sun_path` of unix(7), with its end. */
const maxSocketPathBytes = 107;

/** Whether a socket can have this name in the file system. */
export const isSocketName = (file: string): boolean => Buffer.byteLength(file) <= maxSocketPathBytes;

/** @throws H2h3Error `process-failed` with its last words when it does not start. */
export async function startEmulator(options: EmulatorOptions): Promise<EmulatorProcess> {
  const { controlSocket } = options;
  if (!isSocketName(controlSocket)) {
    throw new H2h3Error(
      'unsupported',
      `the temporary folder's name is too long for a socket: ${controlSocket}`,
      {
        next: 'Set TMPDIR to a shorter one.',
      },
    );
  }
  const places = [options.clientNamespace, options.serverNamespace, options.device, controlSocket];
  const [program = '', ...args] = [
    ...options.prefix,
    options.program,
    ...places,
    String(quantumUs),
    options.offloads,
    options.up,
    options.down,
    ...(options.crossTraffic === undefined
      ? []
      : [options.crossTraffic.namespace, options.crossTraffic.address]),
  ];
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.environment },
    detached: true,
  });
  child.stdin.on('error', () => undefined); // an emulator that died is noticed by `alive`
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-4000)));
  const alive = (): boolean => child.exitCode === null && child.signalCode === null;
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  try {
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('close', () => reject(new Error(tailOf(stderr, 3) || 'it ended without a word')));
    });
    const { realtime, tcpOffload, udpOffload } = readySchema.parse(JSON.parse(line));
    return {
      realtime,
      tcpOffload,
      udpOffload,
      alive,
      stats: async () => statsSchema.parse(await ask(controlSocket, 'stats')),
      flows: async () => {
        const { flows, unlistedPackets } = flowsSchema.parse(await ask(controlSocket, 'flows'));
        return unlistedPackets === 0 ? flows : null;
      },
      flights: async () => flightsSchema.parse(await ask(controlSocket, 'flights')),
      queue: async () => linkQueueSchema.parse(await ask(controlSocket, 'queues')),
      course: async () => linkCourseSchema.parse(await ask(controlSocket, 'courses')),
      begin: (start) => tell(controlSocket, start),
      change: async (figures) => {
        for (const direction of ['up', 'down'] as const)
          await ask(controlSocket, `set ${direction} ${settingOf(figures)}`);
      },
      stop: () => endWithInput(child),
    };
  } catch (cause) {
    throw new H2h3Error('process-failed', `the path emulator did not start: ${messageOf(cause)}`, {
      context: { stderrTail: tailOf(stderr) },
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

const own = -1;

/** As the emulator takes it: bit/s, ns, ns, a share, whether nothing passes. */
function settingOf({ rateMbps, delayMs, jitterMs, lossPercent, outage }: LinkFigures): string {
  const ns = (ms: number | undefined): number => (ms === undefined ? own : Math.round(ms * 1e6));
  const rate = rateMbps === undefined ? own : rateMbps * 1e6;
  const loss = lossPercent === undefined ? own : lossPercent / 100;
  return [rate, ns(delayMs), ns(jitterMs), loss, outage === true ? 1 : 0].join(' ');
}

/** @throws H2h3Error `process-failed` when the emulator is gone or does not answer. */
async function ask(
  controlSocket: string,
  what: 'stats' | 'flows' | 'flights' | 'queues' | 'courses' | `set ${string}`,
): Promise<unknown> {
  const socket = createConnection(controlSocket);
  try {
    socket.setTimeout(answerTimeoutMs, () => socket.destroy(new Error('no answer')));
    socket.write(`${what}\n`);
    const [line] = (await Promise.race([
      once(createInterface({ input: socket }), 'line'),
      once(socket, 'error').then(([cause]) => Promise.reject(cause as Error)),
      once(socket, 'close').then(() => Promise.reject(new Error('the connection was closed'))),
    ])) as [string];
    return JSON.parse(line);
  } catch (cause) {
    throw new H2h3Error('process-failed', `the path emulator does not answer: ${messageOf(cause)}`, {
      cause,
    });
  } finally {
    socket.destroy();
  }
}

async function tell(controlSocket: string, line: string): Promise<void> {
  const socket = createConnection(controlSocket);
  await once(socket, 'connect');
  socket.end(`${line}\n`);
  await once(socket, 'close');
}
