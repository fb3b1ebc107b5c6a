import { draftName } from './qlog-form.ts';
import { fieldsOf, qlogRecordOf } from './qlog-records.ts';

/** How often a server had to wait because it may send three times what came until the client's address is confirmed (RFC 9000, section 8.1). */
export interface AmplificationStalls {
  readonly count: number;
  readonly totalMs: number;
}

/** A server sends no further datagram when less than this is left. */
const smallestDatagramBytes = 1200;
const factor = 3;

/**
 * Reads the beginning of a server's qlog of one connection: at its limit it was silent until the next packet came, and
 * then went on with the handshake.
 */
export async function amplificationStalls(lines: AsyncIterable<string>): Promise<AmplificationStalls> {
  let receivedBytes = 0;
  let sentBytes = 0;
  let lastSentMs = 0;
  let count = 0;
  let totalMs = 0;
  /** Since when it was silent at its limit, and until when; null: it is not. */
  let silence: { readonly sinceMs: number; readonly untilMs: number } | null = null;
  for await (const line of lines) {
    const { time, name, data } = qlogRecordOf(line);
    if (typeof time !== 'number' || typeof name !== 'string') continue;
    const { header, raw, frames } = fieldsOf(data);
    const bytes = fieldsOf(raw)['length'];
    const type = fieldsOf(header)['packet_type'];
    if (typeof bytes !== 'number') continue;
    if (draftName(name) === 'quic:packet_received') {
      const isAtLimit = sentBytes + smallestDatagramBytes > factor * receivedBytes;
      if (sentBytes > 0 && isAtLimit && silence === null) silence = { sinceMs: lastSentMs, untilMs: time };
      receivedBytes += bytes;
    } else if (draftName(name) === 'quic:packet_sent') {
      // What it acknowledges at its limit is no part of what waits.
      if (silence !== null && type === 'handshake' && hasCrypto(frames)) {
        count++;
        totalMs += silence.untilMs - silence.sinceMs;
        silence = null;
      }
      sentBytes += bytes;
      lastSentMs = time;
      if (type === '1RTT') break;
    }
  }
  return { count, totalMs };
}

function hasCrypto(frames: unknown): boolean {
  return Array.isArray(frames) && frames.some((frame) => fieldsOf(frame)['frame_type'] === 'crypto');
}
