import type { Preset } from './preset.ts';
import { cubicBesideEachOther, zhang2024 } from './zhang2024.ts';

const common = {
  ...cubicBesideEachOther,
  clients: ['curl', 'quic-go'],
  networks: ['ethernet-1g'],
  primary: { download: 'throughputMbps' },
  published: [
    {
      ...zhang2024,
      experiment: 'light clients over HTTP/3 against curl over HTTP/2, 50 MB to 1 GB',
      metric: 'throughputMbps',
      figure: 'curl over HTTP/3 7 to 16 % lower, quic_client 8 to 12 %',
      expects: 'worse' as const,
      source: 'section 3.2, figures 1 and 2',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-100mb'], repetitions: 8 },
  standard: { ...common, workloads: ['download-50mb', 'download-200mb', 'download-1gb'], repetitions: 12 },
  paper: {
    ...common,
    workloads: ['50mb', '100mb', '200mb', '500mb', '1gb'].map((size) => `download-${size}`),
    repetitions: 20,
  },
};

/** Figures 1 and 2: whether HTTP/3 is slower without a browser, too. */
export const zhangClientsPreset: Preset = {
  id: 'zhang2024-clients',
  title: 'Clients that are no browsers, 50 MB to 1 GB over 1 Gbit/s (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
