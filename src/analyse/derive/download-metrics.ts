import type { DownloadSession } from '../../model/session.ts';
import { megabitsPerSecond } from '../../model/units.ts';
import { elapsedMs, finiteOrNull, positiveOrNull, sum } from './part.ts';
import type { DerivedPart } from './part.ts';

type Stream = DownloadSession['streams'][number];

/**
 * `throughputMbps` = all body bytes × 8 ÷ (latest last byte − earliest request start); `totalRequestTimeMs` is that
 * time (Liu et al. §4.2); `timeToFirstByteMs` = earliest first byte − earliest request start; `connectMs` of the first
 * stream that had to connect.
 */
export function downloadMetrics(session: DownloadSession): DerivedPart {
  const streams = session.streams ?? [];
  const startMs = earliest(streams, ({ requestStartMs }) => requestStartMs);
  const firstByteMs = earliest(streams, ({ responseStartMs }) => responseStartMs);
  const totalRequestTimeMs = elapsedMs(startMs, latestFinishMs(streams));
  const connectMs = connectTimeMs(streams);
  const bytes = sum(streams.map((stream) => finiteOrNull(stream.bytes) ?? 0));
  const measurable = totalRequestTimeMs !== null && totalRequestTimeMs > 0;
  return {
    metrics: {
      throughputMbps: measurable ? megabitsPerSecond(bytes, totalRequestTimeMs) : null,
      totalRequestTimeMs,
      timeToFirstByteMs: elapsedMs(startMs, firstByteMs),
      connectMs,
    },
    warnings: [
      ...(measurable
        ? []
        : ['throughputMbps, totalRequestTimeMs: the browser withholds the times of the download']),
      ...(connectMs === null
        ? ['connectMs: the download found its connection already open, or the time is withheld']
        : []),
    ],
  };
}

/** Resource Timing's end where there is one: scripts hear of the last byte later than it came. */
function latestFinishMs(streams: readonly Stream[]): number | null {
  const finishes = streams.map(
    ({ responseEndMs, lastByteReadMs }) => positiveOrNull(responseEndMs) ?? positiveOrNull(lastByteReadMs),
  );
  return finishes.length === 0 || finishes.includes(null)
    ? null
    : Math.max(...finishes.map((finish) => finish ?? 0));
}

/** Null if any stream lacks the moment: the earliest could be its. */
function earliest(streams: readonly Stream[], momentOf: (stream: Stream) => number): number | null {
  const moments = streams.map((stream) => positiveOrNull(momentOf(stream)));
  return moments.length === 0 || moments.includes(null)
    ? null
    : Math.min(...moments.map((moment) => moment ?? 0));
}

function connectTimeMs(streams: readonly Stream[]): number | null {
  const inOrder = [...streams].sort((a, b) => a.requestStartMs - b.requestStartMs);
  for (const { connectStartMs, connectEndMs } of inOrder) {
    const connectMs = elapsedMs(connectStartMs, connectEndMs);
    if (connectMs !== null && connectMs > 0) return connectMs;
  }
  return null;
}
