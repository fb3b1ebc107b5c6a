import type { DownloadSession } from '../../core/model/session.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import { elapsedMs, finiteOrNull, positiveOrNull, sum } from '../../core/metrics/evidence/numbers.ts';
import type { DerivedPart } from './derived-part.ts';

type Stream = DownloadSession['streams'][number];

/** The times and bytes of one download over all its streams. */
export function downloadMetrics(session: DownloadSession, roundTripMs?: number): DerivedPart {
  const streams = session.streams ?? [];
  const startMs = earliest(streams, ({ requestStartMs }) => requestStartMs);
  const totalMs = elapsedMs(startMs, latestFinishMs(streams));
  const metrics = evaluate('download', {
    streams,
    startMs,
    totalMs,
    firstByteMs: earliest(streams, ({ responseStartMs }) => responseStartMs),
    bytes: sum(
      streams.map((stream) => (finiteOrNull(stream.bytes) ?? 0) + (stream.handover?.keptBytes ?? 0)),
    ),
    contest: session.contest,
    roundTripMs,
  });
  return {
    metrics,
    warnings: [
      ...(totalMs !== null && totalMs > 0
        ? []
        : ['throughputMbps, totalRequestTimeMs: the browser withholds the times of the download']),
      ...(metrics['connectMs'] === null
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
