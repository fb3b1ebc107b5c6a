import type { LateChunk } from '../../core/model/diagnosis.ts';
import type { ChunkMetric } from '../../core/model/metrics.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { meanOfKnown } from '../../core/metrics/evidence/numbers.ts';

/** The ends of a stall and of the chunk that ended it are told by different clocks of the page. */
const slackMs = 250;
/** The worst of each arm; a session that stalls at every chunk has hundreds. */
const maxChunks = 8;

interface Late {
  readonly chunk: ChunkMetric;
  readonly stallMs: number;
}

/** The chunks that playback stood still for, the worst first, and why each was late. */
export function lateChunks(arm: string, records: readonly TrialRecord[]): LateChunk[] {
  const late = records.flatMap(lateIn);
  return [...Map.groupBy(late, ({ chunk }) => chunk.index)]
    .map(([index, ofIndex]) => {
      const mean = (of: (late: Late) => number): number => meanOfKnown(ofIndex.map(of)) ?? 0;
      const throughputMbps = mean(({ chunk }) => chunk.throughputMbps);
      const bitrateKbps = mean(({ chunk }) => chunk.bitrateKbps);
      const firstByteMs = mean(({ chunk }) => chunk.firstByteMs - chunk.requestStartMs);
      const transferMs = mean(({ chunk }) => chunk.lastByteMs - chunk.firstByteMs);
      return {
        arm,
        index,
        trials: ofIndex.length,
        stallMs: mean(({ stallMs }) => stallMs),
        bitrateKbps,
        throughputMbps,
        firstByteMs,
        transferMs,
        bufferAtRequestSeconds: mean(({ chunk }) => chunk.bufferLevelSeconds),
        why: reason(throughputMbps * 1000, bitrateKbps, firstByteMs > transferMs),
      };
    })
    .toSorted((a, b) => b.stallMs * b.trials - a.stallMs * a.trials)
    .slice(0, maxChunks);
}

/** The chunk whose last byte came nearest before the end of a stall ended it. */
function lateIn({ metrics: { chunks = [], stalls = [] } }: TrialRecord): Late[] {
  return stalls.flatMap(([startMs, endMs]) => {
    const ended = chunks
      .filter(({ lastByteMs }) => lastByteMs >= startMs && lastByteMs <= endMs + slackMs)
      .toSorted((a, b) => b.lastByteMs - a.lastByteMs)[0];
    return ended === undefined ? [] : [{ chunk: ended, stallMs: endMs - startMs }];
  });
}

function reason(throughputKbps: number, bitrateKbps: number, waitsForFirstByte: boolean): LateChunk['why'] {
  if (waitsForFirstByte) return 'first-byte';
  return throughputKbps < bitrateKbps ? 'slower-than-playback' : 'asked-for-late';
}
