import { createHmac, randomBytes } from 'node:crypto';

/** Groups for the exchange of keys, by their number (IANA, TLS Supported Groups). */
export const groups = { X25519: 0x001d, X25519MLKEM768: 0x11ec } as const;
export type GroupName = keyof typeof groups;

/** What a ClientHello asks for (RFC 8446, section 4.1.2). */
export interface HelloRequest {
  /** Asked for by SNI; null for an address. */
  readonly name: string | null;
  /** Offered, the preferred first; the only key share is one of X25519. */
  readonly offered: readonly GroupName[];
  /** Raw public key of X25519. */
  readonly publicKey: Buffer;
  readonly alpn: readonly string[];
  /** Further extensions, each with its head. */
  readonly further?: readonly Buffer[];
}

/** A handshake message without any record or frame around it. */
export function clientHello({ name, offered, publicKey, alpn, further = [] }: HelloRequest): Buffer {
  const numbers = offered.map((group) => Buffer.from([groups[group] >> 8, groups[group] & 0xff]));
  const protocols = alpn.map((protocol) => sized(1, Buffer.from(protocol)));
  const extensions = [
    ...(name === null ? [] : [extension(0, sized(2, Buffer.from([0]), sized(2, Buffer.from(name))))]),
    extension(10, sized(2, ...numbers)),
    // Signatures: ECDSA, RSA-PSS and Ed25519.
    extension(13, sized(2, Buffer.from('0403080404010503080505010806060108070603', 'hex'))),
    extension(16, sized(2, ...protocols)),
    extension(43, sized(1, Buffer.from('0304', 'hex'))),
    extension(45, sized(1, Buffer.from([1]))),
    extension(51, sized(2, Buffer.from('001d', 'hex'), sized(2, publicKey))),
    ...further,
  ];
  const body = [
    Buffer.from('0303', 'hex'),
    randomBytes(32),
    Buffer.from([0]),
    sized(2, Buffer.from('130113021303', 'hex')),
    sized(1, Buffer.from([0])),
    sized(2, ...extensions),
  ];
  return Buffer.concat([Buffer.from([1]), sized(3, ...body)]);
}

export function extension(type: number, ...content: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([type >> 8, type & 0xff]), sized(2, ...content)]);
}

/** Content after its length, which takes so many bytes. */
export function sized(lengthBytes: number, ...content: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(content);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(whole.length, 0, lengthBytes);
  return Buffer.concat([length, whole]);
}

/** What a ServerHello, or the request for another hello that has its form, settles (RFC 8446, section 4.1.3). */
export interface SettledByServer {
  readonly group: GroupName | undefined;
  /** Raw; empty where another hello is asked for. */
  readonly publicKey: Buffer;
  readonly cipherSuite: number;
}

const serverHelloType = 2;
const keyShareType = 51;

/** @throws RangeError for a message that is cut short, Error for one of another type */
export function readServerHello(message: Buffer): SettledByServer {
  if (message.readUInt8(0) !== serverHelloType) throw new Error('no ServerHello');
  let at = 4 + 2 + 32;
  at += 1 + message.readUInt8(at);
  const cipherSuite = message.readUInt16BE(at);
  at += 2 + 1;
  const end = at + 2 + message.readUInt16BE(at);
  for (at += 2; at < end;) {
    const type = message.readUInt16BE(at);
    const content = message.subarray(at + 4, at + 4 + message.readUInt16BE(at + 2));
    at += 4 + content.length;
    if (type !== keyShareType) continue;
    const number = content.readUInt16BE(0);
    const group = (Object.keys(groups) as GroupName[]).find((name) => groups[name] === number);
    return { group, publicKey: content.subarray(4), cipherSuite };
  }
  return { group: undefined, publicKey: Buffer.alloc(0), cipherSuite };
}

export function hmac(hash: string, key: Buffer, data: Buffer): Buffer {
  return createHmac(hash, key).update(data).digest();
}

/** HKDF-Expand-Label (RFC 8446, section 7.1), whose lengths here need no second round. */
export function expandLabel(
  { hash, secret }: { readonly hash: string; readonly secret: Buffer },
  label: string,
  context: Buffer,
  lengthBytes: number,
): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(lengthBytes);
  const info = [length, sized(1, Buffer.from(`tls13 ${label}`)), sized(1, context), Buffer.from([1])];
  return hmac(hash, secret, Buffer.concat(info)).subarray(0, lengthBytes);
}
