import type { Preset } from './preset.ts';
import { shreedhar2022 } from './shreedhar2022.ts';

const common = {
  arms: ['h2+tls=1.2', 'h2', 'h3'],
  compare: [
    ['h2+tls=1.2', 'h3'],
    ['h2', 'h3'],
  ] satisfies [string, string][],
  primary: { page: 'connectMs' },
  pooled: { page: true },
  published: [
    {
      ...shreedhar2022,
      experiment: 'connection set-up of each site',
      metric: 'connectMs',
      figure: 'QUIC shorter: medians 35 ms, 62 ms (TLS 1.3), 71 ms (TLS 1.2) on a fast network',
      expects: 'better' as const,
      source: 'section V',
    },
    {
      ...shreedhar2022,
      experiment: 'landing page',
      metric: 'pltMs',
      figure: 'the advantage shrinks from connection to first byte to the whole',
      source: 'section V',
    },
  ],
};
const scales = {
  quick: {
    ...common,
    sites: ['page-tabler-index', 'page-agency', 'page-admin-lte', 'replica-en.wikipedia.org'],
    networks: ['cable'],
    repetitions: 9,
  },
  standard: { ...common, sites: ['default'], networks: ['fiber-300', 'cable', '4g'], repetitions: 8 },
  paper: { ...common, sites: ['all'], networks: ['fiber-300', 'cable', '4g'], repetitions: 12 },
};

/** Section V. */
export const shreedharConnectPreset: Preset = {
  id: 'shreedhar2022-connect',
  title: 'Connection, first byte and landing page of sites (Shreedhar et al. 2022)',
  plan: scales.quick,
  scales,
};
