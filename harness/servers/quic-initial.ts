import {
  createCipheriv,
  createDecipheriv,
  generateKeyPairSync,
  randomBytes,
  type CipherGCMTypes,
} from 'node:crypto';
import { clientHello, expandLabel, extension, hmac, sized, type GroupName } from './tls-hello.ts';

/** A packet that begins a connection of QUIC version 1. */
export interface QuicInitial {
  readonly packet: Buffer;
  /** Our connection id, to which everything that answers is addressed. */
  readonly connectionId: Buffer;
  /** Under which the server answers in packets of this kind. */
  readonly serverSecret: Buffer;
}

/** A server may ignore an Initial packet in a smaller datagram (RFC 9000, section 14.1). */
const datagramBytes = 1200;
const packetNumberBytes = 4;
const tagBytes = 16;
/** RFC 9001, section 5.2. */
const initialSalt = Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex');

const algorithm: CipherGCMTypes = 'aes-128-gcm';
const none = Buffer.alloc(0);

/**
 * What a client sends first: a ClientHello that offers HTTP/3, under the keys that anybody can derive (RFC 9001, section
 * 5.2). Every server of version 1 answers it, if only by refusing the connection; a packet of a version that no server
 * knows may be ignored.
 *
 * @param name asked for by SNI; null for an address
 * @param offered groups for the exchange of keys, the preferred first
 */
export function quicInitial(name: string | null, offered: readonly GroupName[] = ['X25519']): QuicInitial {
  const destinationId = randomBytes(8);
  const connectionId = randomBytes(8);
  const initial = { hash: 'sha256', secret: hmac('sha256', initialSalt, destinationId) };
  const secret = expandLabel(initial, 'client in', none, 32);
  const header = headerOf(destinationId, connectionId);
  const hello = helloOverQuic(name, offered, connectionId);
  const payload = Buffer.alloc(datagramBytes - header.length - tagBytes);
  // A CRYPTO frame from offset 0; the rest are PADDING frames, whose bytes are 0.
  payload.writeUInt8(0x06, 0);
  payload.writeUInt16BE(0x4000 | hello.length, 2);
  hello.copy(payload, 4);
  return {
    packet: protectedPacket(header, payload, secret),
    connectionId,
    serverSecret: expandLabel(initial, 'server in', none, 32),
  };
}

/** The long header of an Initial packet with packet number 0. */
function headerOf(destinationId: Buffer, connectionId: Buffer): Buffer {
  const fixed = Buffer.from([0xc0 | (packetNumberBytes - 1), 0, 0, 0, 1]);
  const ids = [destinationId, connectionId].flatMap((id) => [Buffer.from([id.length]), id]);
  const token = Buffer.from([0]);
  const before = Buffer.concat([fixed, ...ids, token]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(0x4000 | (datagramBytes - before.length - 2));
  return Buffer.concat([before, length, Buffer.alloc(packetNumberBytes)]);
}

/** Encrypts the payload, then the header (RFC 9001, sections 5.3 and 5.4). */
function protectedPacket(header: Buffer, payload: Buffer, secret: Buffer): Buffer {
  const { key, vector, headerKey } = packetKeys(secret);
  // The nonce is this vector changed by the packet number, which is 0.
  const cipher = createCipheriv(algorithm, key, vector);
  cipher.setAAD(header);
  const packet = Buffer.concat([header, cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
  const numberAt = header.length - packetNumberBytes;
  const sample = packet.subarray(numberAt + 4, numberAt + 20);
  const mask = createCipheriv('aes-128-ecb', headerKey, null).update(sample);
  packet.writeUInt8(packet.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f), 0);
  for (let index = 0; index < packetNumberBytes; index++)
    packet.writeUInt8(packet.readUInt8(numberAt + index) ^ mask.readUInt8(1 + index), numberAt + index);
  return packet;
}

function packetKeys(secret: Buffer): {
  readonly key: Buffer;
  readonly vector: Buffer;
  readonly headerKey: Buffer;
} {
  const keys = { hash: 'sha256', secret };
  return {
    key: expandLabel(keys, 'quic key', none, 16),
    vector: expandLabel(keys, 'quic iv', none, 12),
    headerKey: expandLabel(keys, 'quic hp', none, 16),
  };
}

/** A ClientHello with the extensions that QUIC demands. */
function helloOverQuic(name: string | null, offered: readonly GroupName[], connectionId: Buffer): Buffer {
  const publicKey = generateKeyPairSync('x25519')
    .publicKey.export({ format: 'der', type: 'spki' })
    .subarray(-32);
  // Transport parameters: the id of our end, which is compulsory, room for an answer, and the streams that HTTP/3 demands.
  const room = Buffer.from('040480010000' + '090103', 'hex');
  const parameters = extension(57, sizedParameter(0x0f, connectionId), room);
  return clientHello({ name, offered, publicKey, alpn: ['h3'], further: [parameters] });
}

const sizedParameter = (id: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([id]), sized(1, value)]);

/**
 * The handshake's message at the beginning of the first Initial packet in a datagram, which the server answers with.
 *
 * @throws Error for a datagram that does not begin with one
 */
export function serverHelloIn(datagram: Buffer, secret: Buffer): Buffer {
  const packet = Buffer.from(datagram);
  if ((packet.readUInt8(0) & 0xf0) !== 0xc0) throw new Error('no Initial packet');
  let at = 5;
  for (let ids = 0; ids < 2; ids++) at += 1 + packet.readUInt8(at);
  const token = variableLength(packet, at);
  const length = variableLength(packet, token.end + token.value);
  const numberAt = length.end;
  const { key, vector, headerKey } = packetKeys(secret);
  const sample = packet.subarray(numberAt + 4, numberAt + 20);
  const mask = createCipheriv('aes-128-ecb', headerKey, null).update(sample);
  packet.writeUInt8(packet.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f), 0);
  const numberBytes = (packet.readUInt8(0) & 0x03) + 1;
  for (let index = 0; index < numberBytes; index++) {
    const number = packet.readUInt8(numberAt + index) ^ mask.readUInt8(1 + index);
    packet.writeUInt8(number, numberAt + index);
    const place = vector.length - numberBytes + index;
    vector.writeUInt8(vector.readUInt8(place) ^ number, place);
  }
  const contentAt = numberAt + numberBytes;
  const end = numberAt + length.value;
  const decipher = createDecipheriv(algorithm, key, vector);
  decipher.setAAD(packet.subarray(0, contentAt));
  decipher.setAuthTag(packet.subarray(end - tagBytes, end));
  const frames = Buffer.concat([
    decipher.update(packet.subarray(contentAt, end - tagBytes)),
    decipher.final(),
  ]);
  return cryptoFrameIn(frames);
}

/** What the first CRYPTO frame holds, behind acknowledgements and padding (RFC 9000, section 19). */
function cryptoFrameIn(frames: Buffer): Buffer {
  for (let at = 0; at < frames.length;) {
    const type = frames.readUInt8(at++);
    if (type === 0x00 || type === 0x01) continue;
    if (type === 0x06) {
      const offset = variableLength(frames, at);
      const length = variableLength(frames, offset.end);
      return frames.subarray(length.end, length.end + length.value);
    }
    if (type !== 0x02 && type !== 0x03) break;
    // Largest, delay, number of further ranges, first range; two numbers a range; three counts of congestion.
    const numbers = 4 + (type === 0x03 ? 3 : 0);
    const ranges = [0, 1].reduce((end) => variableLength(frames, end).end, at);
    const further = 2 * variableLength(frames, ranges).value;
    for (let index = 0; index < numbers + further; index++) at = variableLength(frames, at).end;
  }
  throw new Error('no CRYPTO frame');
}

/** A number of variable length (RFC 9000, section 16), and where what follows it begins. */
function variableLength(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  const lengthBytes = 1 << (bytes.readUInt8(at) >> 6);
  const value = Number(BigInt(`0x${bytes.toString('hex', at, at + lengthBytes)}`));
  return { value: value - 2 ** (8 * lengthBytes - 2) * (bytes.readUInt8(at) >> 6), end: at + lengthBytes };
}
