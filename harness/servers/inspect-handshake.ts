import {
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type CipherGCMTypes,
} from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { answerOverUdp } from './answer-over-udp.ts';
import { quicInitial, serverHelloIn } from './quic-initial.ts';
import {
  clientHello,
  expandLabel,
  extension,
  hmac,
  readServerHello,
  sized,
  type GroupName,
  type SettledByServer,
} from './tls-hello.ts';

/** What handshakes with a server show that no library tells: null where nothing answered. */
export interface InspectedHandshake {
  /** The group that it takes of X25519MLKEM768 and X25519. */
  readonly tcpKeyExchange: GroupName | null;
  readonly quicKeyExchange: GroupName | null;
  /** How it sends its certificates to a client that takes every way (RFC 8879), over TCP. */
  readonly compression: Compression | 'none' | null;
}

const compressions = { zlib: 1, brotli: 2, zstd: 3 } as const;
type Compression = keyof typeof compressions;

/** A server without QUIC stays silent, which every run would wait for. */
const quicLimitMs = 500;
const quicTries = 3;
/** Over TCP there is an answer or a refusal, late where the machine is busy. */
const tcpLimitMs = 10_000;
const both: readonly GroupName[] = ['X25519MLKEM768', 'X25519'];

/** Where a server listens, and for which name. */
export interface InspectedPlace {
  readonly address: string;
  readonly port: number;
  readonly name: string;
}

/** @param quicPatienceMs as of `quicKeyExchange` */
export async function inspectHandshake(
  place: InspectedPlace,
  quicPatienceMs = 0,
): Promise<InspectedHandshake> {
  const tcp = await talkOverTcp(place, both, ({ settled }) => settled?.group);
  const compression = await talkOverTcp(place, ['X25519'], certificateForm);
  return {
    tcpKeyExchange: tcp ?? null,
    quicKeyExchange: await quicKeyExchange(place, quicPatienceMs),
    compression: compression ?? null,
  };
}

/**
 * The group that a server takes over QUIC with HTTP/3; null where nothing answers for the name.
 *
 * @param patienceMs how long at least a server that is known to speak QUIC is asked again and again: it may get no CPU
 */
export async function quicKeyExchange(place: InspectedPlace, patienceMs = 0): Promise<GroupName | null> {
  const untilMs = performance.now() + patienceMs;
  for (let tries = 0; tries < quicTries || performance.now() < untilMs; tries++) {
    const group = await answerOverQuic(place);
    if (group !== undefined) return group;
  }
  return null;
}

function answerOverQuic({ address, port, name }: InspectedPlace): Promise<GroupName | undefined> {
  const { packet, serverSecret } = quicInitial(name, both);
  return answerOverUdp(address, port, {
    packet,
    limitMs: quicLimitMs,
    read: (datagram) => {
      try {
        return readServerHello(serverHelloIn(datagram, serverSecret)).group;
      } catch {
        return undefined; // the first packet may be a mere acknowledgement: the next one has the message
      }
    },
  });
}

interface TcpAnswer {
  readonly settled: SettledByServer | undefined;
  /** Messages of the handshake that came under its keys so far. */
  readonly messages: Buffer;
}

/** Says hello over TCP, and asks `read` after each record until it knows; undefined where it never does. */
function talkOverTcp<Known>(
  { address, port, name }: InspectedPlace,
  offered: readonly GroupName[],
  read: (answer: TcpAnswer) => Known | undefined,
): Promise<Known | undefined> {
  const pair = generateKeyPairSync('x25519');
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const ways = Buffer.from(Object.values(compressions).flatMap((number) => [0, number]));
  const hello = clientHello({
    name,
    offered,
    publicKey,
    alpn: ['h2', 'http/1.1'],
    further: [extension(27, sized(1, ways))],
  });
  const records = new Records(hello, (serverKey) =>
    diffieHellman({ privateKey: pair.privateKey, publicKey: rawPublicKey(serverKey) }),
  );
  return new Promise((resolve) => {
    const socket: Socket = connect({ host: address, port });
    const end = (known: Known | undefined): void => {
      socket.removeAllListeners().on('error', () => undefined);
      socket.destroy();
      resolve(known);
    };
    socket
      .setTimeout(tcpLimitMs, () => end(undefined))
      .once('connect', () => socket.write(Buffer.concat([Buffer.from([22, 3, 1]), sized(2, hello)])))
      .once('error', () => end(undefined))
      .once('close', () => end(undefined))
      .on('data', (bytes) => {
        try {
          for (const answer of records.take(bytes)) {
            const known = read(answer);
            if (known !== undefined) return end(known);
          }
        } catch {
          // An alert, or what is no TLS 1.3.
          end(undefined);
        }
      });
  });
}

/** SubjectPublicKeyInfo of X25519 around the raw key (RFC 8410). */
const x25519Head = Buffer.from('302a300506032b656e032100', 'hex');
const rawPublicKey = (raw: Buffer): ReturnType<typeof createPublicKey> =>
  createPublicKey({ key: Buffer.concat([x25519Head, raw]), format: 'der', type: 'spki' });

const certificateType = 11;
const compressedCertificateType = 25;

/** How the certificates come, as soon as the head of their message is there. */
function certificateForm({ messages }: TcpAnswer): InspectedHandshake['compression'] | undefined {
  for (let at = 0; at + 6 <= messages.length; at += 4 + messages.readUIntBE(at + 1, 3)) {
    const type = messages.readUInt8(at);
    if (type === certificateType) return 'none';
    if (type !== compressedCertificateType) continue;
    const number = messages.readUInt16BE(at + 4);
    return (Object.keys(compressions) as Compression[]).find((way) => compressions[way] === number);
  }
  return undefined;
}

const suites: Readonly<Record<number, { cipher: CipherGCMTypes; hash: string; keyBytes: number }>> = {
  0x1301: { cipher: 'aes-128-gcm', hash: 'sha256', keyBytes: 16 },
  0x1302: { cipher: 'aes-256-gcm', hash: 'sha384', keyBytes: 32 },
  // Node's types have this one under another name, and its interface is the same.
  0x1303: { cipher: 'chacha20-poly1305' as CipherGCMTypes, hash: 'sha256', keyBytes: 32 },
};

/** Takes the server's records apart and decrypts those of the handshake (RFC 8446, sections 5 and 7.1). */
class Records {
  readonly #hello: Buffer;
  readonly #agree: (serverKey: Buffer) => Buffer;
  #pending: Buffer = Buffer.alloc(0);
  #settled: SettledByServer | undefined;
  #open: ((record: Buffer) => Buffer) | undefined;
  #messages: Buffer = Buffer.alloc(0);

  constructor(hello: Buffer, agree: (serverKey: Buffer) => Buffer) {
    this.#hello = hello;
    this.#agree = agree;
  }

  /**
   * What is known after each record that came whole. What the server sends at once after its part of the handshake is
   * under other keys.
   *
   * @throws Error for what is no such record
   */
  *take(bytes: Buffer): Generator<TcpAnswer> {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#pending.length >= 5) {
      const end = 5 + this.#pending.readUInt16BE(3);
      if (this.#pending.length < end) break;
      this.#record(this.#pending.subarray(0, end));
      this.#pending = this.#pending.subarray(end);
      yield { settled: this.#settled, messages: this.#messages };
    }
  }

  #record(record: Buffer): void {
    const type = record.readUInt8(0);
    if (type === 21) throw new Error('an alert');
    if (type === 22 && this.#settled === undefined) this.#serverHello(record.subarray(5));
    else if (type === 23 && this.#open !== undefined)
      this.#messages = Buffer.concat([this.#messages, this.#open(record)]);
  }

  #serverHello(message: Buffer): void {
    const settled = readServerHello(message);
    this.#settled = settled;
    const suite = suites[settled.cipherSuite];
    // Another hello is asked for: there are no keys.
    if (suite === undefined || settled.publicKey.length === 0) return;
    const { hash, cipher, keyBytes } = suite;
    const digest = (...parts: readonly Buffer[]): Buffer =>
      createHash(hash).update(Buffer.concat(parts)).digest();
    const zeros = Buffer.alloc(digest().length);
    const derive = (secret: Buffer, label: string, context: Buffer): Buffer =>
      expandLabel({ hash, secret }, label, context, zeros.length);
    const early = derive(hmac(hash, zeros, zeros), 'derived', digest());
    const handshake = hmac(hash, early, this.#agree(settled.publicKey));
    const secret = derive(handshake, 's hs traffic', digest(this.#hello, message));
    const none = Buffer.alloc(0);
    const key = expandLabel({ hash, secret }, 'key', none, keyBytes);
    const vector = expandLabel({ hash, secret }, 'iv', none, 12);
    this.#open = opener(cipher, key, vector);
  }
}

/** Decrypts one record after the other; what is of no handshake comes out empty. */
function opener(cipher: CipherGCMTypes, key: Buffer, vector: Buffer): (record: Buffer) => Buffer {
  let sequence = 0;
  return (record) => {
    const nonce = Buffer.from(vector);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence++) >>> 0, 8);
    const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: 16 });
    decipher.setAAD(record.subarray(0, 5));
    decipher.setAuthTag(record.subarray(-16));
    const inner = Buffer.concat([decipher.update(record.subarray(5, -16)), decipher.final()]);
    let end = inner.length;
    while (end > 0 && inner[end - 1] === 0) end--;
    return inner[end - 1] === 22 ? inner.subarray(0, end - 1) : Buffer.alloc(0);
  };
}
