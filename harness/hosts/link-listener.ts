import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import { parseForeignJson } from '../../src/core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { DatagramCount, datagram, readDatagram, sendData } from './datagrams.ts';
import { ByteCount, sendBytes } from './transfers.ts';

/** What a connection asks for after its token: its bytes back, a transfer either way, or what was counted of datagrams. */
export const linkParts = ['echo', 'down', 'up', 'counts'] as const;
export type LinkPart = (typeof linkParts)[number];

/** What the listening end says of datagrams: of those that came, and how many it has sent. */
const datagramCountsSchema = z.strictObject({
  received: z.int().nonnegative(),
  overtaken: z.int().nonnegative(),
  mbps: z.number().nonnegative(),
  sent: z.int().nonnegative(),
});
export type DatagramCounts = z.infer<typeof datagramCountsSchema>;

/** @throws where the other end said something else */
export const readCounts = (text: string): DatagramCounts =>
  datagramCountsSchema.parse(parseForeignJson(text));

export interface ListenOptions {
  readonly address: string;
  readonly port: number;
  /** Without it a connection is closed, and a datagram is dropped. */
  readonly token: string;
}

/** What is there for a measurement and not longer. */
export interface LinkListener {
  readonly close: () => Promise<void>;
}

/** A network is started, and checked with the link, while one end listens. */
const listenLimitMs = 10 * 60_000;
const silentLimitMs = 60_000;
const wantedBufferBytes = 4 * 1024 * 1024;

/** Listens over TCP and UDP until it is closed, or for so long. Default: ten minutes. @throws H2h3Error `usage` where it cannot */
export async function listenForMeasurement(
  options: ListenOptions,
  limitMs = listenLimitMs,
): Promise<LinkListener> {
  const datagrams = new DatagramEnd(options.token);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, options.token, datagrams);
  });
  try {
    await listening(server, options);
    await datagrams.listen(options);
  } catch (thrown) {
    server.close();
    datagrams.close();
    throw thrown;
  }
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    datagrams.close();
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const timer = setTimeout(() => void close(), limitMs);
  timer.unref();
  return { close };
}

function cannotListen({ address, port }: ListenOptions, cause: unknown): H2h3Error {
  return new H2h3Error('usage', `nothing can listen on ${address}:${port}: ${messageOf(cause)}`, {
    next: 'Choose another port with --port.',
    cause,
  });
}

async function listening(server: Server, options: ListenOptions): Promise<void> {
  server.listen({ host: options.address, port: options.port, exclusive: true });
  await once(server, 'listening').catch((cause: unknown) => {
    throw cannotListen(options, cause);
  });
}

function serve(socket: Socket, token: string, datagrams: DatagramEnd): void {
  socket.setNoDelay(true);
  socket.setTimeout(silentLimitMs, () => socket.destroy());
  socket.on('error', () => undefined); // the other end measures, and says what went wrong
  socket.once('data', (greeting: Buffer) => {
    const [given, part] = greeting.toString('latin1').trim().split(' ');
    if (given !== token || !isPart(part)) return socket.destroy();
    socket.write('+');
    if (part === 'echo') socket.pipe(socket);
    else if (part === 'counts') socket.end(`${JSON.stringify(datagrams.counts())}\n`);
    else if (part === 'down')
      sendBytes(socket).catch(() => undefined); // told at the other end
    else countUntilEnd(socket);
  });
}

const isPart = (text: string | undefined): text is LinkPart => linkParts.some((part) => part === text);

/** Answers with the rate at which bytes came, in bit/s. */
function countUntilEnd(socket: Socket): void {
  const count = new ByteCount();
  socket.on('data', (bytes: Buffer) => count.add(bytes.length));
  socket.on('end', () => socket.end(`${Math.round(count.mbps() * 1e6)}\n`));
}

/** The end that datagrams come to: it sends none but to the one that has the token. */
class DatagramEnd {
  readonly #token: string;
  readonly #socket: UdpSocket = createSocket('udp4');
  readonly #count = new DatagramCount();
  #sent = 0;
  #isSending = false;
  #isClosed = false;

  constructor(token: string) {
    this.#token = token;
  }

  async listen(options: ListenOptions): Promise<void> {
    const socket = this.#socket;
    const bound = once(socket, 'listening').catch((cause: unknown) => {
      throw cannotListen(options, cause);
    });
    socket.bind({ address: options.address, port: options.port, exclusive: true });
    await bound;
    socket.on('error', () => undefined); // the other end measures, and says what went wrong
    socket.on('message', (bytes, from) => this.#take(bytes, from));
    widen(socket);
  }

  counts(): DatagramCounts {
    return { ...this.#count.counted(), sent: this.#sent };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.close();
  }

  #take(bytes: Buffer, { port, address }: RemoteInfo): void {
    const taken = readDatagram(bytes, this.#token);
    if (taken === undefined) return;
    const send = (answer: Buffer): void => {
      if (!this.#isClosed) this.#socket.send(answer, port, address, () => undefined);
    };
    if (taken.kind === 'data') this.#count.add(taken);
    else if (taken.kind === 'ping') send(datagram(this.#token, taken));
    else if (!this.#isSending) {
      this.#isSending = true;
      void sendData(this.#token, taken.number / 1000, send).then((sent) => (this.#sent = sent));
    }
  }
}

/** As far as the system lets a receive buffer grow: what is lost in it is no loss of the link. */
export function widen(socket: UdpSocket): void {
  socket.setRecvBufferSize(wantedBufferBytes);
}
