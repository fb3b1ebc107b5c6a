import { connectionStartMs } from './evidence/connection-start.ts';
import type { Metric } from './metric.ts';
import type { DownloadInput } from './metric-inputs.ts';

export const totalWithConnectMs: Metric = {
  name: 'totalWithConnectMs',
  title: 'total time with the handshake',
  meaning: 'Start of the first connection to the last byte of the last of the parallel streams.',
  source: 'Liu et al. 2025, §4.1; Kakhki et al. 2017, §5.2; Shreedhar et al. 2022, §VI',
  unit: 'ms',
  form: 'ratio',
  margin: 0.03,
  higherIsBetter: false,
  kinds: ['download'],
  onDeadline: 'time',
  formulas: { download: totalWithConnect },
};

/** Null where no stream tells when its connection began, or where one was open before the first request. */
function totalWithConnect(download: DownloadInput): number | null {
  const { startMs, totalMs } = download;
  const beganMs = connectionStartMs(download);
  return startMs === null || totalMs === null || beganMs === null ? null : startMs + totalMs - beganMs;
}
