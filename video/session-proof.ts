import type { ServerLogEntry } from '../src/model/raw-trial.ts';
import type { VideoSession } from '../src/model/session.ts';
import { bitsPerByte } from '../src/model/units.ts';

export interface SessionProofOptions {
  /** Round-trip time of the path (ms). */
  readonly roundTripMs: number;
  /** What the server's socket or QUIC stack may hold after the server has written its last byte. */
  readonly sendBufferBytes: number;
}

type Chunk = VideoSession['chunks'][number];

const clockAllowanceMs = 50;
/** A frame at 25 per second: the playhead stops on the last frame or behind it. */
const frameSeconds = 0.04;
const bitrateTolerance = 0.001;

/**
 * Holds what the player reported against the server's access log of the same session, both on one clock: bytes exactly,
 * request start within a round trip + 50 ms, end within a round trip + 50 ms + the send buffer's time; the chunks add up to
 * what was played; the mean bitrate follows from the log alone. Returns every discrepancy; empty when all agree.
 */
export function sessionDiscrepancies(
  session: VideoSession,
  log: readonly ServerLogEntry[],
  options: SessionProofOptions,
): string[] {
  const segments = log.filter((entry) => entry.method === 'GET' && entry.path.endsWith('.m4s'));
  const byPath = Map.groupBy(segments, (entry) => entry.path);
  return [
    ...session.chunks.flatMap((chunk) => chunkDiscrepancies(session, chunk, byPath, options)),
    ...playedDiscrepancies(session),
    ...bitrateDiscrepancies(session, segments),
  ];
}

function chunkDiscrepancies(
  session: VideoSession,
  chunk: Chunk,
  byPath: ReadonlyMap<string, readonly ServerLogEntry[]>,
  { roundTripMs, sendBufferBytes }: SessionProofOptions,
): string[] {
  const name = new URL(chunk.url).pathname;
  const [entry, ...more] = byPath.get(name) ?? [];
  if (entry === undefined) return [`${name} is not in the server's log`];
  const found: string[] = [];
  if (more.length > 0) found.push(`${name} is in the server's log ${more.length + 1} times`);
  if (entry.bytes !== chunk.bytes) found.push(`${name}: server ${entry.bytes} bytes, player ${chunk.bytes}`);
  const startLagMs = entry.startEpochMs - (session.timeOriginEpochMs + chunk.requestStartMs);
  if (Math.abs(startLagMs) > roundTripMs + clockAllowanceMs) {
    found.push(`${name}: the server saw the request ${startLagMs.toFixed(1)} ms after the player sent it`);
  }
  const bitsPerMs = (chunk.bytes * bitsPerByte) / Math.max(1, chunk.responseEndMs - chunk.requestStartMs);
  const drainMs = (sendBufferBytes * bitsPerByte) / bitsPerMs;
  const endLagMs = session.timeOriginEpochMs + chunk.responseEndMs - (entry.startEpochMs + entry.durationMs);
  if (endLagMs > roundTripMs + clockAllowanceMs + drainMs || endLagMs < -clockAllowanceMs) {
    found.push(`${name}: the player had the last byte ${endLagMs.toFixed(1)} ms after the server was done`);
  }
  return found;
}

function playedDiscrepancies(session: VideoSession): string[] {
  const seconds = session.chunks.reduce((sum, chunk) => sum + chunk.durationSeconds, 0);
  if (session.outcome !== 'ended' || Math.abs(seconds - session.playedSeconds) <= frameSeconds) return [];
  return [`the chunks last ${seconds} s, but ${session.playedSeconds} s were played`];
}

/** The representation is the folder of a segment's path, and its name tells the bitrate through the ladder. */
function bitrateDiscrepancies(session: VideoSession, segments: readonly ServerLogEntry[]): string[] {
  const kbpsOf = new Map(session.ladder.map((track) => [track.representation, track.bitrateKbps]));
  const mean = (rates: readonly number[]): number =>
    rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const logged = mean(segments.map((entry) => kbpsOf.get(entry.path.split('/').at(-2) ?? '') ?? Number.NaN));
  const reported = mean(session.chunks.map((chunk) => chunk.bitrateKbps));
  if (Math.abs(logged - reported) <= bitrateTolerance * reported) return [];
  return [`mean bitrate: ${logged} kbit/s by the server's log, ${reported} by the player`];
}
