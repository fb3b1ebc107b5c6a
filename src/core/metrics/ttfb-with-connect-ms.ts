import { connectionStartMs } from './evidence/connection-start.ts';
import { elapsedMs } from './evidence/numbers.ts';
import type { Metric } from './metric.ts';

export const ttfbWithConnectMs: Metric = {
  name: 'ttfbWithConnectMs',
  title: 'time to first byte with connection set-up',
  meaning: 'Start of the connection to the first byte of the main document, or of a download’s body.',
  source: 'Shreedhar et al. 2022, §V',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'download'],
  onDeadline: 'time',
  formulas: {
    page: ({ timings, connectMs }) =>
      connectMs === null ? null : elapsedMs(timings.connectStartMs, timings.responseStartMs),
    download: (download) => elapsedMs(connectionStartMs(download), download.firstByteMs),
  },
};
