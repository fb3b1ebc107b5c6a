import type { VideoSession } from '../../model/session.ts';
import { mean } from './numbers.ts';

/**
 * A chunk that is made while it is sent lasts as long as its making, whatever the path: its throughput says little of
 * the protocol.
 */
export function broadcastWarnings({ livePartSeconds, chunkSeconds }: VideoSession): readonly string[] {
  if (livePartSeconds === undefined || chunkSeconds <= livePartSeconds) return [];
  return [
    `meanChunkThroughputMbps: chunks of ${chunkSeconds} s are sent while they are made, in parts of ${livePartSeconds} s, so their throughput is mostly that of the broadcast`,
  ];
}

/**
 * How far the picture was behind the live edge, on average from the first frame on (ms): wall-clock time minus the time
 * at which what is shown was made. Nothing for a session on demand.
 */
export function broadcastLatencyOf(session: VideoSession): number | null | undefined {
  const { liveStartEpochMs, firstFrameMs, timeOriginEpochMs, endedMs } = session;
  if (liveStartEpochMs === undefined) return undefined;
  const shown = (session.bufferSamples ?? []).filter(
    ({ tMs }) => firstFrameMs !== null && tMs >= firstFrameMs && (endedMs === null || tMs < endedMs),
  );
  return mean(
    shown.map(({ tMs, mediaSeconds }) => timeOriginEpochMs + tMs - (liveStartEpochMs + mediaSeconds * 1000)),
  );
}
