import {
  createCipheriv,
  createHmac,
  generateKeyPairSync,
  randomBytes,
  type CipherGCMTypes,
} from 'node:crypto';

/** A packet that begins a connection of QUIC version 1. */
export interface QuicInitial {
  readonly packet: Buffer;
  /** Our connection id, to which everything that answers is addressed. */
  readonly connectionId: Buffer;
}

/** A server may ignore an Initial packet in a smaller datagram (RFC 9000, section 14.1). */
const datagramBytes = 1200;
const packetNumberBytes = 4;
const tagBytes = 16;
/** RFC 9001, section 5.2. */
const initialSalt = Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex');

/**
 * What a client sends first: a ClientHello that offers HTTP/3, under the keys that anybody can derive (RFC 9001, section
 * 5.2). Every server of version 1 answers it, if only by refusing the connection; a packet of a version that no server
 * knows may be ignored.
 *
 * @param name asked for by SNI; null for an address
 */
export function quicInitial(name: string | null): QuicInitial {
  const destinationId = randomBytes(8);
  const connectionId = randomBytes(8);
  const secret = expandLabel(hmac(initialSalt, destinationId), 'client in', 32);
  const header = headerOf(destinationId, connectionId);
  const hello = clientHello(name, connectionId);
  const payload = Buffer.alloc(datagramBytes - header.length - tagBytes);
  // A CRYPTO frame from offset 0; the rest are PADDING frames, whose bytes are 0.
  payload.writeUInt8(0x06, 0);
  payload.writeUInt16BE(0x4000 | hello.length, 2);
  hello.copy(payload, 4);
  return { packet: protectedPacket(header, payload, secret), connectionId };
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
  const algorithm: CipherGCMTypes = 'aes-128-gcm';
  // The nonce is this vector changed by the packet number, which is 0.
  const vector = expandLabel(secret, 'quic iv', 12);
  const cipher = createCipheriv(algorithm, expandLabel(secret, 'quic key', 16), vector);
  cipher.setAAD(header);
  const packet = Buffer.concat([header, cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
  const numberAt = header.length - packetNumberBytes;
  const sample = packet.subarray(numberAt + 4, numberAt + 20);
  const mask = createCipheriv('aes-128-ecb', expandLabel(secret, 'quic hp', 16), null).update(sample);
  packet.writeUInt8(packet.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f), 0);
  for (let index = 0; index < packetNumberBytes; index++)
    packet.writeUInt8(packet.readUInt8(numberAt + index) ^ mask.readUInt8(1 + index), numberAt + index);
  return packet;
}

/** RFC 8446, section 4.1.2, with the extensions that QUIC demands. */
function clientHello(name: string | null, connectionId: Buffer): Buffer {
  const ownKey = generateKeyPairSync('x25519')
    .publicKey.export({ format: 'der', type: 'spki' })
    .subarray(-32);
  const extensions = [
    ...(name === null ? [] : [extension(0, sized(2, Buffer.from([0]), sized(2, Buffer.from(name))))]),
    // Groups: x25519. Signatures: ECDSA, RSA-PSS and Ed25519.
    extension(10, sized(2, Buffer.from('001d', 'hex'))),
    extension(13, sized(2, Buffer.from('0403080404010503080505010806060108070603', 'hex'))),
    extension(16, sized(2, sized(1, Buffer.from('h3')))),
    extension(43, sized(1, Buffer.from('0304', 'hex'))),
    extension(45, sized(1, Buffer.from([1]))),
    extension(51, sized(2, Buffer.from('001d', 'hex'), sized(2, ownKey))),
    // Transport parameters: the id of our end, which is compulsory, and room for an answer.
    extension(57, sizedParameter(0x0f, connectionId), Buffer.from('040480010000', 'hex')),
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

function extension(type: number, ...content: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([type >> 8, type & 0xff]), sized(2, ...content)]);
}

function sizedParameter(id: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([id]), sized(1, value)]);
}

/** Content after its length, which takes so many bytes. */
function sized(lengthBytes: number, ...content: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(content);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(whole.length, 0, lengthBytes);
  return Buffer.concat([length, whole]);
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** HKDF-Expand-Label of TLS 1.3 (RFC 8446, section 7.1), whose lengths here need no second round. */
function expandLabel(secret: Buffer, label: string, lengthBytes: number): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(lengthBytes);
  const info = [length, sized(1, Buffer.from(`tls13 ${label}`)), Buffer.from([0, 1])];
  return hmac(secret, Buffer.concat(info)).subarray(0, lengthBytes);
}
