import { pipeline } from 'node:stream/promises';
import type { Socket } from 'node:net';

export const transferMs = 600;
/** Nothing of a transfer is counted before: TCP begins slowly. */
const warmUpMs = 200;
const chunk = Buffer.alloc(64 * 1024);

/** Sends as much as one connection carries, for `transferMs`, and ends it. */
export async function sendBytes(socket: Socket): Promise<void> {
  const endMs = performance.now() + transferMs;
  await pipeline(function* () {
    while (performance.now() < endMs) yield chunk;
  }, socket);
}

/** The rate of what comes, without the beginning. */
export class ByteCount {
  readonly #startMs = performance.now();
  #countedBytes = 0;
  #firstMs: number | undefined;
  #lastMs = this.#startMs;

  add(bytes: number): void {
    this.#lastMs = performance.now();
    if (this.#lastMs - this.#startMs < warmUpMs) return;
    if (this.#firstMs === undefined) this.#firstMs = this.#lastMs;
    else this.#countedBytes += bytes;
  }

  mbps(): number {
    const spanMs = this.#firstMs === undefined ? 0 : this.#lastMs - this.#firstMs;
    return spanMs <= 0 ? 0 : (8 * this.#countedBytes) / spanMs / 1000;
  }
}
