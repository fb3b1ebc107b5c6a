import { setTimeout as sleep } from 'node:timers/promises';

/** `ping`: sent back as it is. `data`: counted. `ask`: so many kbit/s of data are sent back. */
const kinds = { ping: 'p', data: 'u', ask: 'd' } as const;
type DatagramKind = keyof typeof kinds;

/** In hexadecimal. */
const tokenLength = 32;
const dataBytes = 1_200;
/** What is no data is as short as can be: it must not wait in a queue behind its like. */
const headBytes = tokenLength + 5;
/** Of UDP and IPv4. */
const headerBytes = 28;
const ipBytes = dataBytes + headerBytes;

/** A datagram that is no data, as an IP packet. */
export const smallIpBytes = headBytes + headerBytes;
export const datagramMs = 600;
/** What one process sends and receives without losing any itself. */
export const maxDatagramMbps = 100;
const tickMs = 1;
/** One that woke late must not fill the receiver's buffer at once. */
const maxBurst = 16;

/** A datagram of a measurement. */
export interface Datagram {
  readonly kind: DatagramKind;
  /** Which it is; of `ask` the rate. */
  readonly number: number;
}

export function datagram(token: string, { kind, number }: Datagram): Buffer {
  const bytes = Buffer.alloc(kind === 'data' ? dataBytes : headBytes);
  bytes.write(token + kinds[kind], 0, 'latin1');
  bytes.writeUInt32BE(number, tokenLength + 1);
  return bytes;
}

/** Undefined for one that is not of this measurement. */
export function readDatagram(bytes: Buffer, token: string): Datagram | undefined {
  if (bytes.length < headBytes || bytes.toString('latin1', 0, tokenLength) !== token) return undefined;
  const letter = bytes.toString('latin1', tokenLength, tokenLength + 1);
  const kind = (Object.keys(kinds) as DatagramKind[]).find((each) => kinds[each] === letter);
  return kind === undefined ? undefined : { kind, number: bytes.readUInt32BE(tokenLength + 1) };
}

/** What came of the data of one direction. */
export class DatagramCount {
  #received = 0;
  #overtaken = 0;
  #largest = -1;
  #firstMs = 0;
  #lastMs = 0;

  add({ number }: Datagram): void {
    this.#lastMs = performance.now();
    if (this.#received === 0) this.#firstMs = this.#lastMs;
    this.#received++;
    if (number < this.#largest) this.#overtaken++;
    this.#largest = Math.max(this.#largest, number);
  }

  /** IP bytes between the first datagram and the last, in Mbit/s. */
  counted(): { readonly received: number; readonly overtaken: number; readonly mbps: number } {
    const spanMs = this.#lastMs - this.#firstMs;
    const mbps = spanMs <= 0 ? 0 : (8 * ipBytes * (this.#received - 1)) / spanMs / 1000;
    return { received: this.#received, overtaken: this.#overtaken, mbps };
  }
}

/** Sends data for `datagramMs`, evenly, at this rate at the most. @returns how many datagrams that were */
export async function sendData(token: string, mbps: number, send: (bytes: Buffer) => void): Promise<number> {
  const perMs = (Math.min(mbps, maxDatagramMbps) * 1000) / (8 * ipBytes);
  const beganMs = performance.now();
  let sent = 0;
  for (;;) {
    const elapsedMs = performance.now() - beganMs;
    const due = Math.min(Math.floor(Math.min(elapsedMs, datagramMs) * perMs) + 1, sent + maxBurst);
    for (; sent < due; sent++) send(datagram(token, { kind: 'data', number: sent }));
    if (elapsedMs >= datagramMs) return sent;
    await sleep(tickMs);
  }
}
