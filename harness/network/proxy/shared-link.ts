import type { DirectionSpec } from '../../../src/core/model/network-spec.ts';

/** Of a full IP packet, which rates count, the share that is payload of TCP with timestamps. */
const payloadShare = 1448 / 1500;
/** What is sent at once must not hold up the beginning of what comes next for longer than a slow link needs for a packet. */
const pieceMs = 5;
const minPieceBytes = 1448;
const maxPieceBytes = 16 * 1024;
/** What Linux lets a connection have under way (tcp_rmem) where the link sets no limit. */
const freeWindowBytes = 6 * 1024 * 1024;
const minWindowBytes = 64 * 1024;

/**
 * One direction of a link that all connections share: pieces cross it one after the other at its rate, and each arrives its delay
 * later.
 */
export class SharedLink {
  /** What is carried as one piece. */
  readonly pieceBytes: number;
  /** What one connection may have under way: what the link carries in a round trip, and its queue. */
  readonly windowBytes: number;
  /** Payload that was handed to it. */
  bytes = 0;
  readonly #bytesPerMs: number;
  readonly #delayMs: number;
  #freeAtMs = 0;

  constructor({ rateMbps, delayMs, queueBytes }: DirectionSpec, roundTripMs: number) {
    const bytesPerMs = rateMbps === null ? Infinity : rateMbps * 125 * payloadShare;
    this.#bytesPerMs = bytesPerMs;
    this.#delayMs = delayMs;
    this.pieceBytes = Math.round(Math.min(maxPieceBytes, Math.max(minPieceBytes, bytesPerMs * pieceMs)));
    this.windowBytes =
      rateMbps === null
        ? freeWindowBytes
        : Math.max(minWindowBytes, bytesPerMs * roundTripMs + (queueBytes ?? 0));
  }

  /** Hands it so many bytes. @returns when the last of them arrives, on the clock of `nowMs` */
  send(bytes: number, nowMs: number): number {
    this.bytes += bytes;
    this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + bytes / this.#bytesPerMs;
    return this.#freeAtMs + this.#delayMs;
  }
}
