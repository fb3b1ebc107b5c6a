import { certificateRefusal, type PinnedCertificate } from './pinned-certificate.ts';

/**
 * Sends `count` numbered messages of `bytes` bytes, one every `gap` ms, and notes when the echo of each is there. An open loop:
 * a message leaves at its time, whatever came back. Times go into arrays made beforehand, and nothing else is done meanwhile;
 * `globalThis.h2h3Session` resolves with them (`messageSessionSchema`).
 */
interface Channel {
  readonly send: (index: number) => void;
  readonly close: () => void;
}

/** Called with the number of each echo. */
type Back = (index: number) => void;

const parameters = new URLSearchParams(location.search);
const transport = parameters.get('transport') ?? '';
const messageBytes = Number(parameters.get('bytes'));
const gapMs = Number(parameters.get('gap'));
const count = Number(parameters.get('count'));

/** `messagesPath`. */
const place = `${location.origin}/h2h3-messages`;
const url = `${place}?transport=${transport}`;
const lengthBytes = 4;
/** What is not back by then has been lost for good: a datagram, or a connection that hangs. */
const graceMs = transport === 'wt-datagrams' ? 3_000 : 20_000;
const graceStepMs = 20;

const sentMs = new Float64Array(count).fill(Number.NaN);
const backMs = new Float64Array(count).fill(Number.NaN);
let backCount = 0;
let surplus = 0;
let setupStartMs = 0;
let readyMs = 0;
let firstDueMs = 0;
const errors: string[] = [];

/** Made beforehand, with its length before it where a stream carries it. */
function messages(hasLength: boolean): readonly Uint8Array<ArrayBuffer>[] {
  const headBytes = hasLength ? lengthBytes : 0;
  return Array.from({ length: count }, (_, index) => {
    const message = new Uint8Array(headBytes + messageBytes);
    const view = new DataView(message.buffer);
    if (hasLength) view.setUint32(0, messageBytes);
    view.setUint32(headBytes, index);
    return message;
  });
}

function noteBack(index: number): void {
  if (index >= count || Number.isNaN(sentMs[index]) || !Number.isNaN(backMs[index])) {
    surplus++;
    return;
  }
  backMs[index] = performance.now();
  backCount++;
}

const fail = (error: unknown): void => void errors.push(String(error));

function openSocket(back: Back): Promise<Channel> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  socket.binaryType = 'arraybuffer';
  const made = messages(false);
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => back(new DataView(data).getUint32(0));
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error('the WebSocket did not open'));
    socket.onopen = () => {
      socket.onerror = () => fail('the WebSocket broke off');
      resolve({
        send: (index) => socket.send(made[index] as Uint8Array<ArrayBuffer>),
        close: () => socket.close(),
      });
    };
  });
}

/** Reads whole messages until the stream ends, or the first one alone. */
async function readMessages(
  readable: ReadableStream<Uint8Array>,
  back: Back,
  single: boolean,
): Promise<void> {
  const reader = readable.getReader();
  const wholeBytes = lengthBytes + messageBytes;
  let kept = new Uint8Array(0);
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const all = new Uint8Array(kept.length + value.length);
    all.set(kept);
    all.set(value, kept.length);
    let at = 0;
    for (; all.length - at >= wholeBytes; at += wholeBytes)
      back(new DataView(all.buffer, at + lengthBytes).getUint32(0));
    if (single && at > 0) return;
    kept = all.slice(at);
  }
}

/** The server's certificate, which the browser takes by its hash. */
async function pinnedCertificate(): Promise<WebTransportHash> {
  const answer = await fetch(`${place}/certificate`, { cache: 'no-store' });
  const pinned = (await answer.json()) as PinnedCertificate;
  const refusal = certificateRefusal(pinned);
  if (refusal !== undefined) throw new Error(refusal);
  return { algorithm: 'sha-256', value: Uint8Array.from(atob(pinned.sha256), (sign) => sign.charCodeAt(0)) };
}

async function openWebTransport(back: Back, hash: WebTransportHash): Promise<Channel> {
  const session = new WebTransport(url, { serverCertificateHashes: [hash] });
  session.closed.catch((error: unknown) => fail(`the WebTransport session broke off: ${String(error)}`));
  await session.ready;
  const close = (): void => session.close();
  if (transport === 'wt-datagrams') return { send: datagramSender(session, back), close };
  if (transport === 'wt-streams') return { send: streamsSender(session, back), close };
  const { readable, writable } = await session.createBidirectionalStream();
  const writer = writable.getWriter();
  const made = messages(true);
  readMessages(readable as ReadableStream<Uint8Array>, back, false).catch(fail);
  return { send: (index) => void writer.write(made[index]).catch(fail), close };
}

function datagramSender(session: WebTransport, back: Back): Channel['send'] {
  const { datagrams } = session;
  if (messageBytes > datagrams.maxDatagramSize)
    throw new Error(
      `a datagram holds ${datagrams.maxDatagramSize} bytes here, and a message has ${messageBytes}`,
    );
  // The browser drops none for want of room: what is lost is lost on the way.
  datagrams.incomingHighWaterMark = count;
  datagrams.outgoingHighWaterMark = count;
  const made = messages(false);
  const writer = datagrams.writable.getWriter();
  const read = async (): Promise<void> => {
    const reader = (datagrams.readable as ReadableStream<Uint8Array>).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      back(new DataView(value.buffer, value.byteOffset).getUint32(0));
    }
  };
  read().catch(fail);
  return (index) => void writer.write(made[index]).catch(fail);
}

function streamsSender(session: WebTransport, back: Back): Channel['send'] {
  const made = messages(true);
  const sendOne = async (index: number): Promise<void> => {
    const { readable, writable } = await session.createBidirectionalStream();
    const writer = writable.getWriter();
    const written = writer.write(made[index]).then(() => writer.close());
    await readMessages(readable as ReadableStream<Uint8Array>, back, true);
    await written;
  };
  return (index) => void sendOne(index).catch(fail);
}

/** Each at its time, as far as timers let it be. */
function sendAll(send: Channel['send']): Promise<void> {
  firstDueMs = performance.now();
  let next = 0;
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      try {
        for (; next < count && firstDueMs + next * gapMs <= performance.now(); next++) {
          sentMs[next] = performance.now();
          send(next);
        }
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      if (next < count) setTimeout(turn, Math.max(0, firstDueMs + next * gapMs - performance.now()));
      else resolve();
    };
    turn();
  });
}

async function untilBack(): Promise<void> {
  for (const endMs = performance.now() + graceMs; backCount < count && performance.now() < endMs;)
    await new Promise((resolve) => setTimeout(resolve, graceStepMs));
}

async function exchange(): Promise<void> {
  const isSocket = transport === 'websocket';
  const hash = isSocket ? undefined : await pinnedCertificate();
  setupStartMs = performance.now();
  const channel = hash === undefined ? await openSocket(noteBack) : await openWebTransport(noteBack, hash);
  readyMs = performance.now();
  await sendAll(channel.send);
  await untilBack();
  // What breaks off from here on breaks nothing.
  const known = errors.length;
  channel.close();
  await new Promise((resolve) => setTimeout(resolve, graceStepMs));
  errors.length = known;
}

const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

/** What the browser must have, by the name that scripts know it by. */
const lacked = transport === 'websocket' || 'WebTransport' in globalThis ? undefined : 'WebTransport';

async function run(): Promise<unknown> {
  if (lacked === undefined) await exchange().catch(fail);
  return {
    kind: 'messages',
    timeOriginEpochMs: performance.timeOrigin,
    transport,
    url,
    messageBytes,
    gapMs,
    setupStartMs,
    readyMs,
    firstDueMs,
    sentMs: [...sentMs].filter((ms) => !Number.isNaN(ms)).map(microseconds),
    backMs: [...backMs]
      .filter((_, index) => !Number.isNaN(sentMs[index]))
      .map((ms) => (Number.isNaN(ms) ? null : microseconds(ms))),
    surplus,
    ...(lacked === undefined ? {} : { lacks: lacked }),
    errors,
  };
}

/** `sessionEndPath`. */
const endPath = '/h2h3-session-ended';
const session = run();
Object.assign(globalThis, { h2h3Session: session });
const tellEnd = (): void => void fetch(endPath, { cache: 'no-store' }).catch(() => undefined);
session.then(tellEnd, tellEnd);
