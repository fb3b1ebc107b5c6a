import { kakhki2017 } from './kakhki2017.ts';
import type { Preset } from './preset.ts';

/** What a browser cannot be told: a session taken up again, without and with the request as early data. */
const resumed = ['quic-go:h3+resume=session', 'quic-go:h3+resume=0rtt'] as const;
const common = {
  arms: ['h2', 'h3', ...resumed],
  compare: [['h2', 'h3'], [...resumed]] satisfies [string, string][],
  primary: { download: 'totalWithConnectMs' },
  exploratory: true,
  published: [
    {
      ...kakhki2017,
      experiment: 'small objects, handshake included',
      metric: 'totalWithConnectMs',
      workloads: ['download-5kb', 'download-10kb'],
      compare: ['h2', 'h3'] satisfies [string, string],
      figure: 'QUIC faster, most for small objects',
      expects: 'better' as const,
      source: 'section 5.2',
    },
    {
      ...kakhki2017,
      experiment: 'gain of 0-RTT, here against a session that is resumed without',
      metric: 'resumedTtfbMs',
      figure: 'large for small objects',
      expects: 'better' as const,
      source: 'section 5.2',
    },
  ],
};
const scales = {
  // 8 primary comparisons can decide from 9 blocks on.
  quick: { ...common, grid: { rateMbps: [10, 100], size: ['10kb', '1mb'] }, repetitions: 11 },
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
