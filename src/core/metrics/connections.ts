import { elapsedMs } from './evidence/numbers.ts';
import type { DownloadInput } from './metric-inputs.ts';
import { numberAsDifference, timeAsRatio, type Metric } from './metric.ts';

type Connecting = Pick<
  DownloadInput['streams'][number],
  'requestStartMs' | 'connectStartMs' | 'connectEndMs'
>;

/** On shorter paths computing takes a share of the time that would count as a flight. */
const minRoundTripMs = 20;

/** Undefined where the path's round trip is not known, or says nothing. */
function roundTripsOf(
  tookMs: number | null | undefined,
  roundTripMs: number | undefined,
): number | null | undefined {
  if (roundTripMs === undefined || roundTripMs < minRoundTripMs || tookMs === undefined) return undefined;
  return tookMs === null ? null : tookMs / roundTripMs;
}

/** How connections begin. */
export const connectionMetrics: readonly Metric[] = [
  {
    name: 'connectMs',
    title: 'connection set-up',
    meaning: 'Start of the connection to the end of the TLS or QUIC handshake.',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['page', 'journey', 'video', 'download', 'upload'],
    onDeadline: 'time',
    formulas: {
      page: (page) => page.connectMs,
      download: connectTimeMs,
      upload: ({ uploads }) => connectTimeMs({ streams: uploads }),
    },
  },
  {
    name: 'connectRoundTrips',
    title: 'round trips of connection set-up',
    isPlural: true,
    meaning:
      'On paths of 20 ms and more: 1 for QUIC, 2 for TCP with TLS 1.3 where the certificates fit the first flight.',
    source: 'RFC 9000, section 8.1',
    ...numberAsDifference,
    margin: 0.5,
    kinds: ['page', 'download'],
    onDeadline: 'missing',
    formulas: {
      page: (page) => roundTripsOf(page.connectMs, page.roundTripMs),
      download: (download) => roundTripsOf(connectTimeMs(download), download.roundTripMs),
    },
  },
  {
    name: 'resumedTtfbMs',
    title: 'time to first byte over a resumed connection',
    meaning: 'Start of a connection that resumes a session to the first byte of the answer.',
    source: 'Kakhki et al. 2017, §5.2',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['download'],
    onDeadline: 'missing',
    formulas: {
      download: ({ streams }) => {
        const times = streams.flatMap(({ resumption, connectStartMs, responseStartMs }) =>
          resumption?.resumed === true ? [responseStartMs - connectStartMs] : [],
        );
        return times.length === 0 ? undefined : Math.max(...times);
      },
    },
  },
];

/** Of the first stream that had to connect. */
function connectTimeMs({ streams }: { readonly streams: readonly Connecting[] }): number | null {
  const inOrder = [...streams].sort((a, b) => a.requestStartMs - b.requestStartMs);
  for (const { connectStartMs, connectEndMs } of inOrder) {
    const connectMs = elapsedMs(connectStartMs, connectEndMs);
    if (connectMs !== null && connectMs > 0) return connectMs;
  }
  return null;
}
