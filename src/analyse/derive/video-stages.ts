import type { ActivityInterval } from '../../core/model/raw-trial.ts';
import { fetchedChunks } from '../../core/model/session.ts';
import type { VideoSession } from '../../core/model/session.ts';
import { stallsOf } from '../../core/metrics/evidence/stalls.ts';
import { transferStages } from './transfer-stages.ts';

type Span = readonly [startMs: number, endMs: number];

/**
 * What a viewer waited for, ms: the start of playback and every stall, by what was under way. `transfer` is divided by what was
 * full where that was recorded; `player` is a wait with no chunk under way: manifest, player, decoder. Undefined where playback
 * never began.
 */
export function videoStages(
  session: VideoSession,
  activity: readonly ActivityInterval[] | undefined,
  rateMbps: number | undefined,
): Record<string, number> | undefined {
  const { firstFrameMs, loadCallMs, timeOriginEpochMs } = session;
  if (firstFrameMs === null || firstFrameMs < loadCallMs) return undefined;
  const { network, decode } = stallsOf(session);
  const stalls = network.intervals.map(([start, end]): Span => [start + loadCallMs, end + loadCallMs]);
  const stages: Record<string, number> = { firstByte: 0, transfer: 0, player: 0, decoding: decode.totalMs };
  for (const wait of [[loadCallMs, firstFrameMs] as const, ...stalls])
    for (const { stage, span } of underWay(wait, fetchedChunks(session))) {
      const lengthMs = span[1] - span[0];
      const parts =
        stage === 'transfer' && activity !== undefined
          ? transferStages(activity, timeOriginEpochMs + span[0], lengthMs, rateMbps)
          : { [stage]: lengthMs };
      for (const [name, ms] of Object.entries(parts)) stages[name] = (stages[name] ?? 0) + ms;
    }
  return stages;
}

interface Piece {
  readonly stage: 'firstByte' | 'transfer' | 'player';
  readonly span: Span;
}

/** A wait cut at every beginning and end of a chunk within it. A chunk that comes in outweighs one that is only asked for. */
function underWay([fromMs, toMs]: Span, chunks: ReturnType<typeof fetchedChunks>): Piece[] {
  const edges = chunks
    .flatMap(({ requestStartMs, responseStartMs, responseEndMs }) => [
      requestStartMs,
      responseStartMs,
      responseEndMs,
    ])
    .filter((edge) => edge > fromMs && edge < toMs);
  const cuts = [...new Set([fromMs, ...edges, toMs])].toSorted((a, b) => a - b);
  return cuts.slice(1).map((endMs, index) => {
    const startMs = cuts[index] ?? fromMs;
    const during = chunks.filter(
      ({ requestStartMs, responseEndMs }) => requestStartMs <= startMs && responseEndMs >= endMs,
    );
    const isComing = during.some(({ responseStartMs }) => responseStartMs <= startMs);
    return {
      stage: isComing ? 'transfer' : during.length > 0 ? 'firstByte' : 'player',
      span: [startMs, endMs],
    };
  });
}
