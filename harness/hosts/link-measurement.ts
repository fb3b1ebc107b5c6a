import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RealLink } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { DatagramCount, datagram, datagramMs, maxDatagramMbps, readDatagram, sendData } from './datagrams.ts';
import {
  readCounts,
  widen,
  type DatagramCounts,
  type LinkPart,
  type ListenOptions,
} from './link-listener.ts';
import { ByteCount, sendBytes } from './transfers.ts';

/** Round trips of small packets, medians. */
export interface EchoFigures {
  readonly tcpRoundTripMs: number;
  readonly udpRoundTripMs: number;
}

type UdpFigures = NonNullable<RealLink['udp']>['up'];

const echoes = 25;
/** Of them the first are not counted: a connection warms up. */
const echoesLeftOut = 5;
const pings = 25;
const pingGapMs = 10;
/** A request for data may be lost. */
const asks = 3;
/** So long an answer may be under way. */
const pingLimitMs = 3_000;
const partLimitMs = 5_000;
/** Datagrams that are under way arrive within it. */
const settleMs = 300;
/** Of what TCP carried: a link at its limit loses by its nature. */
const datagramShare = 0.8;

/** Further away than any machine of a laboratory or a cloud; traceroute(8) looks no further. */
const maxTtl = 30;
/** Of each TTL, because one may be lost. */
const pingsOfTtl = 2;

/** What the link does, in about four seconds. @throws H2h3Error `unsupported` where nothing is reached */
export async function measureLink(options: ListenOptions): Promise<RealLink> {
  const { tcpRoundTripMs: roundTripMs, udpRoundTripMs } = await measureEchoes(options);
  return overTcp(options, async () => {
    const downMbps = await rateDown(await opened(options, 'down'));
    const upMbps = await rateUp(await opened(options, 'up'));
    const askedMbps = Math.min(maxDatagramMbps, datagramShare * Math.min(downMbps, upMbps));
    const routers = await routersTo(options, udpRoundTripMs);
    return { roundTripMs, upMbps, downMbps, routers, udp: await overUdp(options, askedMbps, udpRoundTripMs) };
  });
}

/** Small packets there and back over TCP and UDP. @throws H2h3Error `unsupported` where nothing is reached */
export async function measureEchoes(options: ListenOptions): Promise<EchoFigures> {
  const tcpRoundTripMs = await overTcp(options, async () => echoed(await opened(options, 'echo')));
  return { tcpRoundTripMs, udpRoundTripMs: await pinged(options) };
}

async function overTcp<Result>(options: ListenOptions, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw unreached(options, 'TCP', cause);
  }
}

function unreached({ address, port }: ListenOptions, over: 'TCP' | 'UDP', cause?: unknown): H2h3Error {
  return new H2h3Error('unsupported', `nothing reaches ${address}:${port} from here over ${over}`, {
    next: 'Open this port there for TCP and UDP, or name another with --port. A way that ssh takes through other machines is not enough.',
    ...(cause === undefined ? {} : { cause }),
  });
}

const inTime = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(partLimitMs) });

async function opened({ address, port, token }: ListenOptions, part: LinkPart): Promise<Socket> {
  const socket = connect({ host: address, port });
  await once(socket, 'connect', inTime());
  socket.on('error', () => undefined); // what is awaited then says so
  socket.setNoDelay(true);
  socket.write(`${token} ${part}\n`);
  // Of what follows nothing is lost: it stays in the socket until it is read.
  await once(socket, 'readable', inTime());
  const greeting = socket.read(1) as Buffer | null;
  if (greeting?.toString('latin1') === '+') return socket;
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
  return medianOf(timesMs);
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function rateDown(socket: Socket): Promise<number> {
  const count = new ByteCount();
  socket.on('data', (bytes: Buffer) => count.add(bytes.length));
  await once(socket, 'end', inTime());
  socket.destroy();
  return count.mbps();
}

async function rateUp(socket: Socket): Promise<number> {
  const said = textOf(socket);
  await sendBytes(socket);
  if (!socket.destroyed) await once(socket, 'close', inTime());
  const bitsPerSecond = Number(said());
  if (!Number.isFinite(bitsPerSecond) || said() === '') throw new Error('it said no rate');
  return bitsPerSecond / 1e6;
}

/** What a socket says, as far as it is short. */
function textOf(socket: Socket): () => string {
  let said = '';
  socket.on('data', (bytes: Buffer) => {
    if (said.length < 1000) said += bytes.toString('latin1');
  });
  return () => said;
}

async function counts(options: ListenOptions): Promise<DatagramCounts> {
  const socket = await opened(options, 'counts');
  const said = textOf(socket);
  await once(socket, 'end', inTime());
  socket.destroy();
  return readCounts(said());
}

/** @throws H2h3Error `unsupported` where no answer comes */
async function pinged(options: ListenOptions): Promise<number> {
  const { token } = options;
  const sentMs: number[] = [];
  const timesMs: number[] = [];
  const socket = await towards(options);
  try {
    socket.on('message', (bytes) => {
      const answer = readDatagram(bytes, token);
      const beganMs = answer?.kind === 'ping' ? sentMs[answer.number] : undefined;
      if (beganMs !== undefined) timesMs.push(performance.now() - beganMs);
    });
    for (let number = 0; number < pings; number++) {
      sentMs.push(performance.now());
      socket.send(datagram(token, { kind: 'ping', number }), () => undefined);
      await sleep(pingGapMs);
    }
    const endMs = performance.now() + pingLimitMs;
    while (timesMs.length < pings && performance.now() < endMs) await sleep(pingGapMs);
  } finally {
    socket.close();
  }
  if (timesMs.length === 0) throw unreached(options, 'UDP');
  return medianOf(timesMs);
}

/**
 * How many routers forward a packet to the other end: each takes one of its TTL, and drops it at none (RFC 791, 3.2). So it is the least
 * TTL that arrives, less one. Null where none of them did.
 */
async function routersTo(options: ListenOptions, roundTripMs: number): Promise<number | null> {
  const { token } = options;
  const arrived = new Set<number>();
  const socket = await towards(options);
  try {
    socket.on('message', (bytes) => {
      const answer = readDatagram(bytes, token);
      if (answer?.kind === 'ping' && answer.number >= 1 && answer.number <= maxTtl)
        arrived.add(answer.number);
    });
    for (let turn = 0; turn < pingsOfTtl; turn++)
      for (let ttl = 1; ttl <= maxTtl; ttl++) {
        socket.setTTL(ttl);
        // It has left with this TTL before the next is set.
        await new Promise<void>((left) =>
          socket.send(datagram(token, { kind: 'ping', number: ttl }), () => left()),
        );
      }
    await sleep(roundTripMs + settleMs);
  } finally {
    socket.close();
  }
  return arrived.size === 0 ? null : Math.min(...arrived) - 1;
}

/** A socket that takes nothing from elsewhere. */
async function towards({ address, port }: ListenOptions): Promise<UdpSocket> {
  const socket = createSocket('udp4');
  socket.on('error', () => undefined); // nothing comes, then
  const connected = once(socket, 'connect');
  socket.connect(port, address);
  await connected;
  widen(socket);
  return socket;
}

async function overUdp(
  options: ListenOptions,
  askedMbps: number,
  roundTripMs: number,
): Promise<NonNullable<RealLink['udp']>> {
  const { token } = options;
  const socket = await towards(options);
  try {
    const count = new DatagramCount();
    socket.on('message', (bytes) => {
      const came = readDatagram(bytes, token);
      if (came?.kind === 'data') count.add(came);
    });
    const sentUp = await sendData(token, askedMbps, (bytes) => socket.send(bytes, () => undefined));
    // One of them arrives; the others ask for what is under way.
    for (let turn = 0; turn < asks; turn++) {
      socket.send(datagram(token, { kind: 'ask', number: Math.round(askedMbps * 1000) }), () => undefined);
      await sleep(pingGapMs);
    }
    await sleep(datagramMs + roundTripMs + settleMs);
    const there = await counts(options);
    return {
      roundTripMs,
      askedMbps,
      up: figuresOf(there, sentUp),
      down: figuresOf(count.counted(), there.sent),
    };
  } finally {
    socket.close();
  }
}

function figuresOf(
  came: Pick<DatagramCounts, 'received' | 'overtaken' | 'mbps'>,
  sentCount: number,
): UdpFigures {
  const share = (part: number, of: number): number => (of === 0 ? 0 : Math.max(0, (100 * part) / of));
  return {
    mbps: came.mbps,
    // No request for them arrived.
    lossPercent: sentCount === 0 ? 100 : share(sentCount - came.received, sentCount),
    overtakenPercent: share(came.overtaken, came.received),
  };
}
