import { kakhki2017 } from './kakhki2017.ts';
import type { Preset } from './preset.ts';

const common = {
  primary: { download: 'totalWithConnectMs' },
  exploratory: true,
  published: [
    {
      ...kakhki2017,
      experiment: 'small objects, handshake included',
      metric: 'totalWithConnectMs',
      figure: 'QUIC faster, most for small objects (with 0-RTT, which this run has not)',
      expects: 'better' as const,
      source: 'section 5.2',
    },
  ],
};
const scales = {
  quick: { ...common, grid: { rateMbps: [10, 100], size: ['10kb', '1mb'], count: [1, 10] }, repetitions: 6 },
  standard: {
    ...common,
    grid: { rateMbps: [5, 10, 50, 100], size: ['5kb', '100kb', '1mb', '10mb'], count: [1, 10, 100] },
    repetitions: 8,
  },
  paper: {
    ...common,
    grid: {
      ...{ rateMbps: [5, 10, 50, 100], rttMs: [36, 112], lossPercent: [0, 1] },
      ...{ size: ['5kb', '10kb', '100kb', '200kb', '500kb', '1mb', '10mb'], count: [1, 2, 5, 10, 100, 200] },
    },
    repetitions: 10,
  },
};

/** The heat maps of section 5.2. */
export const kakhkiGridPreset: Preset = {
  id: 'kakhki2017-grid',
  title: 'Heat maps of size by count by rate, loss and delay (Kakhki et al. 2017)',
  plan: scales.quick,
  scales,
};
