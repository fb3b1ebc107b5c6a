import type { PublishedFigure } from '../../model/published.ts';
import type { CustomNetwork } from '../plan-file.ts';
import type { Preset } from './preset.ts';
import { shreedhar2022 } from './shreedhar2022.ts';

const { study } = shreedhar2022;
const machine =
  'a container in a virtual machine at a university (1 Gbit/s) playing YouTube (TLS 1.2 over TCP, 144p to 720p) for 3 minutes, loss by tc on its link';
const losses = [0, 1, 5, 10] as const;
const nameOf = (lossPercent: number): string => `shreedhar-${lossPercent}pct`;
/** The same at a rate that two busy CPUs carry, and that 3 Mbit/s of video leave idle as well. */
const modestMbps = 100;
const modestNameOf = (lossPercent: number): string => `shreedhar-${modestMbps}mbit-${lossPercent}pct`;

function network(lossPercent: number, rateMbps: number): CustomNetwork {
  const direction = {
    rateMbps,
    // One bandwidth-delay product.
    queueBytes: rateMbps * 2500,
    delayMs: 10,
    lossPercent,
    jitterMs: 0,
    reorderPercent: 0,
  };
  return {
    title: `${rateMbps} Mbit/s, 20 ms round trip, ${lossPercent} % loss in each direction (Shreedhar et al.)`,
    source:
      'Shreedhar et al. 2022, sections III and VII; round trip and queue assumed: the study states none',
    up: direction,
    down: direction,
  };
}

const stalls = { 0: '2.0 / 2.0', 1: '2.0 / 2.0', 5: '2.0 / 1.96', 10: '2.08 / 2.2' };
const switches = { 0: '1.0 / 1.0', 1: '1.0 / 1.07', 5: '1.0 / 1.13', 10: '2.58 / 2.13' };
const startup = {
  0: { figure: 'QUIC and TCP alike', expects: 'equivalent' },
  1: { figure: 'QUIC ahead as soon as packets are lost', expects: 'better' },
  5: { figure: 'QUIC about 40 % faster (median)', expects: 'better' },
  10: { figure: 'median 7.65 with QUIC against 8.59 with TCP (printed as ms)', expects: 'better' },
} as const;

function figures(lossPercent: keyof typeof startup): PublishedFigure[] {
  const place = { study, machine, networks: [nameOf(lossPercent), modestNameOf(lossPercent)] };
  const at = `at ${lossPercent} % loss`;
  return [
    {
      ...place,
      experiment: `start-up delay ${at}`,
      metric: 'startupDelayMs',
      ...startup[lossPercent],
      source: 'section VII-B.1, figure 14',
    },
    {
      ...place,
      experiment: `stalls ${at}`,
      metric: 'stallCount',
      figure: `mean with QUIC / TCP: ${stalls[lossPercent]}`,
      source: 'table III',
    },
    {
      ...place,
      experiment: `quality switches ${at}`,
      metric: 'switchCount',
      figure: `mean with QUIC / TCP: ${switches[lossPercent]}`,
      source: 'table III',
    },
    ...(lossPercent === 10
      ? [
          {
            ...place,
            experiment: `stall time ${at}`,
            metric: 'stallTotalMs',
            figure: 'up to 50 % longer over TCP (median of stall durations)',
            expects: 'better' as const,
            source: 'section VII-B.2, figure 15',
          },
        ]
      : []),
  ];
}

/** 4 primary comparisons can decide from 8 blocks on. */
const common = {
  // YouTube spoke TLS 1.2 over TCP then.
  arms: ['h2+tls=1.2', 'h3'],
  networks: losses.map(nameOf),
  customNetworks: Object.fromEntries(
    losses.flatMap((loss) => [
      [nameOf(loss), network(loss, 1000)],
      [modestNameOf(loss), network(loss, modestMbps)],
    ]),
  ),
  primary: { video: 'startupDelayMs' },
  published: losses.flatMap(figures),
};

const scales = {
  quick: {
    ...common,
    workloads: ['video-streaming-720p-2s-dynamic'],
    networks: [0, 5].map(modestNameOf),
    repetitions: 9,
  },
  standard: { ...common, workloads: ['video-streaming-720p-2s-dynamic-60s'], repetitions: 12 },
  paper: { ...common, workloads: ['video-streaming-720p-4s-dynamic-180s'], repetitions: 20 },
};

/** Start-up delay, stalls and switches under loss. */
export const shreedharVideoPreset: Preset = {
  id: 'shreedhar2022-video',
  title:
    'DASH from 144p to 720p at 0, 1, 5 and 10 % loss: start-up, stalls, switches (Shreedhar et al. 2022)',
  plan: scales.quick,
  scales,
};
