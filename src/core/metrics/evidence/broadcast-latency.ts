import type { VideoSession } from '../../model/session.ts';
import { mean } from './numbers.ts';

/**
 * A chunk that is made while it is sent lasts as long as its making, whatever the path: its throughput says little of
 * the protocol.
 */
export function broadcastWarnings({ livePartSeconds, chunkSeconds, relay }: VideoSession): readonly string[] {
  if (livePartSeconds === undefined || chunkSeconds <= livePartSeconds || relay !== undefined) return [];
  return [
    `meanChunkThroughputMbps: chunks of ${chunkSeconds} s are sent while they are made, in parts of ${Number(livePartSeconds.toFixed(3))} s, so their throughput is mostly that of the broadcast`,
  ];
}

/**
 * How far the picture was behind the live edge, on average from the first frame on (ms): wall-clock time minus the time
 * at which what is shown was made. Nothing for a session on demand, or of a player that has no playhead to ask.
 */
export function broadcastLatencyOf(session: VideoSession): number | null | undefined {
  const { liveStartEpochMs, firstFrameMs, timeOriginEpochMs, endedMs } = session;
  if (liveStartEpochMs === undefined || session.relay !== undefined) return undefined;
  const shown = (session.bufferSamples ?? []).filter(
    ({ tMs }) => firstFrameMs !== null && tMs >= firstFrameMs && (endedMs === null || tMs < endedMs),
  );
  return mean(
    shown.map(({ tMs, mediaSeconds }) => timeOriginEpochMs + tMs - (liveStartEpochMs + mediaSeconds * 1000)),
  );
}
