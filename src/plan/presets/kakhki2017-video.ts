import type { PublishedFigure } from '../../model/published.ts';
import type { CustomNetwork } from '../plan-file.ts';
import type { Preset } from './preset.ts';
import { kakhki2017 } from './kakhki2017.ts';

const { study } = kakhki2017;
const machine =
  'a one-hour YouTube video in all its qualities, “tiny” to 4K, in Chrome over a shaped link; gQUIC of 2017 against TCP with TLS 1.2';
const lossy = 'kakhki-100mbit-1pct';

const direction: CustomNetwork['up'] = {
  rateMbps: 100,
  // One bandwidth-delay product.
  queueBytes: 450_000,
  delayMs: 18,
  lossPercent: 1,
  jitterMs: 0,
  reorderPercent: 0,
};
const customNetworks: Record<string, CustomNetwork> = {
  [lossy]: {
    title: '100 Mbit/s, 36 ms round trip, 1 % loss in each direction (Kakhki et al.)',
    source: 'Kakhki et al. 2017: rate and round trip of its grid; queue: one bandwidth-delay product',
    up: direction,
    down: direction,
  },
};

/** The excerpt at hand has what was measured, not the table of results: no figure is made up for it. */
const published: PublishedFigure[] = (
  [
    ['startupDelayMs', 'time to start, by quality'],
    ['stallCount', 'rebuffering events, by quality'],
    ['stallTotalMs', 'rebuffering time, by quality'],
  ] as const
).map(([metric, experiment]) => ({
  study,
  experiment,
  metric,
  figure: 'see the study: measured for each quality, not quoted here',
  machine,
  source: 'section 4 (metrics)',
}));

const tracks = (ranks: readonly number[], session: string): string[] =>
  ranks.map((rank) => `video-streaming-2s-fixed${rank}${session}`);
const all = [1, 2, 3, 4, 5, 6, 7];
const common = { customNetworks, primary: { video: 'startupDelayMs' }, published };

/** 2 primary comparisons can decide from 7 blocks on, 21 from 10. */
const scales = {
  // 240p and 720p; what is above them stalls for minutes at what New Reno gets through this loss.
  quick: { ...common, workloads: tracks([1, 4], ''), networks: [lossy], repetitions: 9 },
  standard: {
    ...common,
    workloads: tracks(all, ''),
    networks: ['kakhki-10mbit', 'kakhki-100mbit', lossy],
    repetitions: 10,
  },
  paper: {
    ...common,
    workloads: tracks(all, '-60s'),
    networks: ['kakhki-10mbit', 'kakhki-50mbit', 'kakhki-100mbit', lossy],
    repetitions: 11,
  },
};

/** Time to start and rebuffering of one quality at a time. */
export const kakhkiVideoPreset: Preset = {
  id: 'kakhki2017-video',
  title:
    'DASH in one fixed quality at a time, 240p to 4K, 36 ms: time to start, rebuffers (Kakhki et al. 2017)',
  plan: scales.quick,
  scales,
};
