import type { ChunkMetric } from '../../model/metrics.ts';
import type { VideoPlayer, VideoSession } from '../../model/session.ts';
import { megabitsPerSecond } from '../../model/units.ts';

type SessionChunk = VideoSession['chunks'][number];

/** The chunks that were fetched, in order of play; times are ms after the player's load call. */
export function chunkMetrics(session: VideoSession): ChunkMetric[] {
  return inOrderOfPlay(session).map((chunk) => ({
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

/** Chunks of which at least a moment was played, in order of play; of an index fetched twice the later one was played. */
export function playedChunks(session: VideoPlayer): readonly PlayedChunk[] {
  const byIndex = new Map(inOrderOfPlay(session).map((chunk) => [chunk.index, chunk]));
  return [...byIndex.values()].flatMap((chunk) => {
    const playedSeconds = Math.min(chunk.durationSeconds, session.playedSeconds - chunk.mediaStartSeconds);
    const { representation, bitrateKbps, mediaStartSeconds } = chunk;
    return playedSeconds > 0 ? [{ representation, bitrateKbps, mediaStartSeconds, playedSeconds }] : [];
  });
}

function inOrderOfPlay(session: VideoPlayer): readonly SessionChunk[] {
  return [...(session.chunks ?? [])].sort((a, b) => a.index - b.index || a.requestStartMs - b.requestStartMs);
}

/** 0 where the browser withheld the times. */
function throughputOf(chunk: SessionChunk): number {
  const durationMs = chunk.responseEndMs - chunk.requestStartMs;
  return chunk.requestStartMs > 0 && durationMs > 0 ? megabitsPerSecond(chunk.bytes, durationMs) : 0;
}
