import type { ChunkMetric } from '../../model/metrics.ts';
import type { VideoPlayer, VideoSession } from '../../model/session.ts';
import { megabitsPerSecond } from '../../model/units.ts';

type SessionChunk = VideoSession['chunks'][number];

/** The chunks that were fetched, in order of play; times are ms after the player's load call. */
export function chunkMetrics(session: VideoSession): ChunkMetric[] {
  return inOrderOfPlay(session.chunks ?? []).map((chunk) => ({
    index: chunk.index,
    representation: chunk.representation,
    bitrateKbps: chunk.bitrateKbps,
    durationMs: chunk.durationSeconds * 1000,
    bytes: chunk.bytes,
    requestStartMs: chunk.requestStartMs - session.loadCallMs,
    firstByteMs: chunk.responseStartMs - session.loadCallMs,
    lastByteMs: chunk.responseEndMs - session.loadCallMs,
    throughputMbps: throughputOf(chunk),
    protocol: chunk.protocol,
    bufferLevelSeconds: chunk.bufferLevelSeconds,
  }));
}

/** A chunk that began to play: its seconds on screen and its track. */
export interface PlayedChunk {
  readonly representation: string;
  readonly bitrateKbps: number;
  readonly mediaStartSeconds: number;
  readonly playedSeconds: number;
}

/** In order of play, of pictures or of sound. A player may throw a chunk away and fetch it again: the later one was played. */
export function keptChunks(chunks: readonly SessionChunk[]): readonly SessionChunk[] {
  return [...new Map(inOrderOfPlay(chunks).map((chunk) => [chunk.index, chunk])).values()];
}

/** Chunks of which at least a moment was played, in order of play. */
export function playedChunks(session: VideoPlayer): readonly PlayedChunk[] {
  return keptChunks(session.chunks ?? []).flatMap((chunk) => {
    const playedSeconds = Math.min(chunk.durationSeconds, session.playedSeconds - chunk.mediaStartSeconds);
    const { representation, bitrateKbps, mediaStartSeconds } = chunk;
    return playedSeconds > 0 ? [{ representation, bitrateKbps, mediaStartSeconds, playedSeconds }] : [];
  });
}

function inOrderOfPlay(chunks: readonly SessionChunk[]): readonly SessionChunk[] {
  return chunks.toSorted((a, b) => a.index - b.index || a.requestStartMs - b.requestStartMs);
}

/** 0 where the browser withheld the times. */
function throughputOf(chunk: SessionChunk): number {
  const durationMs = chunk.responseEndMs - chunk.requestStartMs;
  return chunk.requestStartMs > 0 && durationMs > 0 ? megabitsPerSecond(chunk.bytes, durationMs) : 0;
}
