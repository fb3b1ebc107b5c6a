import { megabitsPerSecond } from '../model/units.ts';
import { connectionStartMs } from './evidence/connection-start.ts';
import { elapsedMs } from './evidence/numbers.ts';
import type { DownloadInput } from './metric-inputs.ts';
import { timeAsRatio, type Metric } from './metric.ts';

/** Times and rates of downloads. */
export const downloadMetrics: readonly Metric[] = [
  {
    name: 'throughputMbps',
    title: 'throughput',
    meaning: 'Body bits over the time from request to last byte.',
    unit: 'Mbit/s',
    form: 'ratio',
    margin: 0.03,
    higherIsBetter: true,
    kinds: ['download'],
    onDeadline: 'rate',
    formulas: {
      download: ({ bytes, totalMs }) =>
        totalMs !== null && totalMs > 0 ? megabitsPerSecond(bytes, totalMs) : null,
    },
  },
  {
    name: 'timeToFirstByteMs',
    title: 'time to first byte',
    meaning: 'Request sent to the first byte of the body.',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['download'],
    onDeadline: 'time',
    formulas: {
      download: ({ startMs, firstByteMs }) => elapsedMs(startMs, firstByteMs),
    },
  },
  {
    name: 'totalRequestTimeMs',
    title: 'total request time (last stream)',
    meaning: 'First request sent to the last byte of the last of the parallel streams.',
    source: 'Liu et al. 2025, §4.2',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['download'],
    onDeadline: 'time',
    formulas: {
      download: ({ totalMs }) => totalMs,
    },
  },
  {
    name: 'totalWithConnectMs',
    title: 'total time with the handshake',
    meaning: 'Start of the first connection to the last byte of the last of the parallel streams.',
    source: 'Liu et al. 2025, §4.1; Kakhki et al. 2017, §5.2; Shreedhar et al. 2022, §VI',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['download'],
    onDeadline: 'time',
    formulas: { download: totalWithConnect },
  },
];

/** Null where no stream tells when its connection began, or where one was open before the first request. */
function totalWithConnect(download: DownloadInput): number | null {
  const { startMs, totalMs } = download;
  const beganMs = connectionStartMs(download);
  return startMs === null || totalMs === null || beganMs === null ? null : startMs + totalMs - beganMs;
}
