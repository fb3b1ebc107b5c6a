import { elapsedMs } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';
import type { DownloadInput } from './metric-inputs.ts';

type Connecting = Pick<
  DownloadInput['streams'][number],
  'requestStartMs' | 'connectStartMs' | 'connectEndMs'
>;

export const connectMs: Metric = {
  name: 'connectMs',
  title: 'connection set-up',
  meaning: 'Start of the connection to the end of the TLS or QUIC handshake.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'upload'],
  onDeadline: 'time',
  formulas: {
    page: (page) => page.connectMs,
    download: connectTimeMs,
    upload: ({ uploads }) => connectTimeMs({ streams: uploads }),
  },
};

/** Of the first stream that had to connect. */
function connectTimeMs({ streams }: { readonly streams: readonly Connecting[] }): number | null {
  const inOrder = [...streams].sort((a, b) => a.requestStartMs - b.requestStartMs);
  for (const { connectStartMs, connectEndMs } of inOrder) {
    const connectMs = elapsedMs(connectStartMs, connectEndMs);
    if (connectMs !== null && connectMs > 0) return connectMs;
  }
  return null;
}
