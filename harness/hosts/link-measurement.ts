import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { connect, createServer, type Socket } from 'node:net';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';

/** What the link between two machines did for a moment. */
export interface LinkFigures {
  /** Median of one byte each way over TCP. */
  readonly roundTripMs: number;
  /** What one TCP connection carried; up is towards the server. */
  readonly upMbps: number;
  readonly downMbps: number;
}

type Part = 'echo' | 'down' | 'up';

const echoes = 25;
/** Of them the first are not counted: a connection warms up. */
const echoesLeftOut = 5;
const transferMs = 600;
/** Nothing of a transfer is counted before: TCP begins slowly. */
const warmUpMs = 200;
const chunk = Buffer.alloc(64 * 1024);
const partLimitMs = 5_000;
/** For all parts together. */
const listenLimitMs = 20_000;

export interface ListenOptions {
  readonly address: string;
  readonly port: number;
  /** Without it a connection is closed. */
  readonly token: string;
}

/** Listens until each part was measured once, or for 20 s; resolves as soon as it listens. @throws H2h3Error `usage` where it cannot */
export async function listenForMeasurement({ address, port, token }: ListenOptions): Promise<void> {
  const left = new Set<Part>(['echo', 'down', 'up']);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setNoDelay(true);
    socket.setTimeout(listenLimitMs, () => socket.destroy());
    socket.on('error', () => undefined); // the other end measures, and says what went wrong
    socket.once('data', (greeting: Buffer) => {
      const [given, part] = greeting.toString('latin1').trim().split(' ');
      if (given !== token || !isPart(part) || !left.delete(part)) return socket.destroy();
      socket.write('+');
      if (part === 'echo') socket.pipe(socket);
      else if (part === 'down')
        sendFor(socket, transferMs).catch(() => undefined); // told at the other end
      else countUntilEnd(socket);
      if (left.size === 0) server.close();
    });
  });
  server.listen({ host: address, port, exclusive: true });
  await once(server, 'listening').catch((cause: unknown) => {
    throw new H2h3Error('usage', `nothing can listen on ${address}:${port}: ${messageOf(cause)}`, {
      next: 'Choose another port with --port.',
      cause,
    });
  });
  setTimeout(() => server.close(), listenLimitMs).unref();
}

const isPart = (text: string | undefined): text is Part =>
  text === 'echo' || text === 'down' || text === 'up';

async function sendFor(socket: Socket, durationMs: number): Promise<void> {
  const endMs = performance.now() + durationMs;
  await pipeline(function* () {
    while (performance.now() < endMs) yield chunk;
  }, socket);
}

/** Answers with the rate at which bytes came, in bit/s. */
function countUntilEnd(socket: Socket): void {
  const count = counter();
  socket.on('data', (bytes: Buffer) => count.add(bytes.length));
  socket.on('end', () => socket.end(`${Math.round(count.mbps() * 1e6)}\n`));
}

/** The rate of what comes, without the beginning. */
function counter(): { readonly add: (bytes: number) => void; readonly mbps: () => number } {
  const startMs = performance.now();
  let countedBytes = 0;
  let firstMs: number | undefined;
  let lastMs = startMs;
  return {
    add: (bytes) => {
      lastMs = performance.now();
      if (lastMs - startMs < warmUpMs) return;
      if (firstMs === undefined) firstMs = lastMs;
      else countedBytes += bytes;
    },
    mbps: () =>
      firstMs === undefined || lastMs <= firstMs ? 0 : (8 * countedBytes) / (lastMs - firstMs) / 1000,
  };
}

/** Measures against `listenForMeasurement`, in about two seconds. @throws H2h3Error `unsupported` where nothing is reached */
export async function measureLink(options: ListenOptions): Promise<LinkFigures> {
  try {
    const roundTripMs = await echoed(await opened(options, 'echo'));
    const downMbps = await received(await opened(options, 'down'));
    const upMbps = await sent(await opened(options, 'up'));
    return { roundTripMs, upMbps, downMbps };
  } catch (cause) {
    const { address, port } = options;
    throw new H2h3Error('unsupported', `nothing reaches ${address}:${port} from here over TCP`, {
      next: 'Open this port there for TCP and UDP, or name another with --port. A way that ssh takes through other machines is not enough.',
      cause,
    });
  }
}

const inTime = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(partLimitMs) });

async function opened({ address, port, token }: ListenOptions, part: Part): Promise<Socket> {
  const socket = connect({ host: address, port });
  await once(socket, 'connect', inTime());
  socket.setNoDelay(true);
  socket.write(`${token} ${part}\n`);
  const [greeting] = (await once(socket, 'data', inTime())) as [Buffer];
  if (greeting.toString('latin1', 0, 1) === '+') return socket;
  socket.destroy();
  throw new Error('another program answers');
}

async function echoed(socket: Socket): Promise<number> {
  const timesMs: number[] = [];
  for (let turn = 0; turn < echoes; turn++) {
    const beganMs = performance.now();
    socket.write('.');
    await once(socket, 'data', inTime());
    if (turn >= echoesLeftOut) timesMs.push(performance.now() - beganMs);
  }
  socket.destroy();
  return timesMs.toSorted((a, b) => a - b)[Math.floor(timesMs.length / 2)] ?? Number.NaN;
}

async function received(socket: Socket): Promise<number> {
  const count = counter();
  socket.on('data', (bytes: Buffer) => count.add(bytes.length));
  await once(socket, 'end', inTime());
  socket.destroy();
  return count.mbps();
}

async function sent(socket: Socket): Promise<number> {
  let said = '';
  socket.on('data', (bytes: Buffer) => {
    if (said.length < 100) said += bytes.toString('latin1');
  });
  await sendFor(socket, transferMs);
  if (!socket.destroyed) await once(socket, 'close', inTime());
  const bitsPerSecond = Number(said);
  if (!Number.isFinite(bitsPerSecond) || said === '') throw new Error('it said no rate');
  return bitsPerSecond / 1e6;
}
