import type { PublishedFigure } from '../../model/published.ts';
import type { Preset } from './preset.ts';
import { cubicOverRoundTrips, zhang2024, zhangMobiles } from './zhang2024.ts';

const { study } = zhang2024;
const machine =
  'client i7-6700 (3.4 GHz), server Xeon E5-2640, two hops of 1 Gbit/s Ethernet (ping 0.23 ms), OpenLiteSpeed 1.7.15, CUBIC, Chrome 102; 4G and 5G by tc from four measured Lumos5G traces each, two walking and two driving';

const mobilesOf = (generation: string): string[] =>
  Object.keys(zhangMobiles).filter((name) => name.startsWith(`zhang-${generation}-`));
const published: PublishedFigure[] = [
  {
    study,
    experiment: 'bitrate of the chunks, six tracks of 4K H.264 at 20 to 200 Mbit/s, Ethernet and 5G',
    metric: 'averageChunkBitrateKbps',
    networks: ['ethernet-1g', '5g', '5g-driving', ...mobilesOf('5g')],
    figure: 'HTTP/3 lower, by up to 9.8 %',
    expects: 'worse',
    machine,
    source: 'section 4.1, figures 9a and 9b',
  },
  {
    study,
    experiment: 'bitrate of the chunks, the same video, 4G',
    metric: 'averageChunkBitrateKbps',
    networks: ['4g', '4g-driving', ...mobilesOf('4g')],
    figure: 'not much difference; HTTP/2 slightly higher overall',
    expects: 'equivalent',
    machine,
    source: 'section 4.1, figure 9c',
  },
];

/** Each of the chunk lengths with each of the two rules. */
function workloads(ladder: string, session: string): string[] {
  return [1, 2, 4].flatMap((seconds) =>
    ['bba', 'rate'].map((rule) => `video-${ladder}-${seconds}s-${rule}${session}`),
  );
}

const common = { ...cubicOverRoundTrips, primary: { video: 'averageChunkBitrateKbps' }, published };
const everywhere = {
  ...common,
  networks: ['ethernet-1g', ...mobilesOf('5g'), ...mobilesOf('4g')],
  customNetworks: zhangMobiles,
};

/** 3 primary comparisons can decide from 7 blocks on, 54 from 12. */
const scales = {
  quick: {
    ...common,
    workloads: ['video-padded-2s-bba'],
    networks: ['ethernet-1g', '5g-driving', '4g-driving'],
    repetitions: 7,
  },
  standard: { ...everywhere, workloads: workloads('padded', ''), repetitions: 12 },
  paper: { ...everywhere, workloads: workloads('paper', '-60s'), repetitions: 20 },
};

/** Figure 9: how much bitrate HTTP/3 costs. Below `paper` the ladder is padded, so that decoding is no limit. */
export const zhangVideoPreset: Preset = {
  id: 'zhang2024-video',
  title: 'DASH at 20 to 200 Mbit/s over Ethernet, 5G and 4G, buffer- and rate-based (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
