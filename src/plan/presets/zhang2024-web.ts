import type { Preset } from './preset.ts';
import { cubicBesideEachOther, zhang2024, zhangNetworks } from './zhang2024.ts';

const common = {
  ...cubicBesideEachOther,
  networks: ['ethernet-1g', 'zhang-100mbit'],
  customNetworks: zhangNetworks([100]),
  primary: { page: 'pltMs' },
  pooled: { page: true },
  published: [
    {
      ...zhang2024,
      experiment: 'page load time over 100 sites',
      metric: 'pltMs',
      figure: 'HTTP/3 3.0 % longer on average; above 50 % in the tail, 74.9 % at most',
      expects: 'worse' as const,
      source: 'section 4.2, figures 10 and 11',
    },
  ],
};
const scales = {
  quick: { ...common, sites: ['default'], repetitions: 7 },
  standard: { ...common, sites: ['all'], repetitions: 8 },
  paper: { ...common, sites: ['all'], repetitions: 20 },
};

/** Figures 10 and 11: CDT, PLT and TTFB of many sites. */
export const zhangWebPreset: Preset = {
  id: 'zhang2024-web',
  title: 'Replicas of top sites over Ethernet and 100 Mbit/s (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
