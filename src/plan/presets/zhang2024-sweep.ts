import type { Preset } from './preset.ts';
import { cubicBesideEachOther, zhang2024, zhangNetworks } from './zhang2024.ts';

const rates = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900];
const namesOf = (ratesMbps: readonly number[]): string[] => [
  ...ratesMbps.map((rateMbps) => `zhang-${rateMbps}mbit`),
  'ethernet-1g',
];
const common = {
  ...cubicBesideEachOther,
  clients: ['curl', 'best'],
  customNetworks: zhangNetworks(rates),
  primary: { download: 'throughputMbps' },
  published: [
    {
      ...zhang2024,
      experiment: 'light clients and Chrome below about 500 Mbit/s',
      metric: 'throughputMbps',
      networks: namesOf([50, 100, 200, 300, 400]).filter((name) => name !== 'ethernet-1g'),
      figure: 'HTTP/2 and HTTP/3 alike',
      expects: 'equivalent' as const,
      source: 'sections 3.2 and 3.3, figures 3 and 6',
    },
    {
      ...zhang2024,
      experiment: 'light clients and Chrome at 1 Gbit/s',
      metric: 'throughputMbps',
      networks: ['ethernet-1g'],
      figure: 'HTTP/3 lower: the gap opens above about 600 (light clients) and 500 Mbit/s (Chrome)',
      expects: 'worse' as const,
      source: 'sections 3.2 and 3.3, figures 3 and 6',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-100mb'], networks: namesOf([100, 400]), repetitions: 9 },
  standard: {
    ...common,
    workloads: ['download-100mb'],
    networks: namesOf([100, 200, 400, 600, 800]),
    repetitions: 12,
  },
  paper: { ...common, workloads: ['download-1gb'], networks: namesOf(rates), repetitions: 20 },
};

/** Figures 3 and 6: the rate from which on HTTP/3 falls behind. */
export const zhangSweepPreset: Preset = {
  id: 'zhang2024-sweep',
  title: '50 to 1000 Mbit/s, light client and browser: where the gap opens (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
