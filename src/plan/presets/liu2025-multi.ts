import type { Preset } from './preset.ts';
import { liu2025, liuNetworkName } from './liu2025.ts';

const lossy = (losses: readonly number[]): string[] =>
  losses.map((lossPercent) => liuNetworkName(0, lossPercent));
const common = {
  workloads: ['download-1mb-x20'],
  servers: ['nginx'],
  primary: { download: 'totalRequestTimeMs' },
  published: [
    {
      ...liu2025,
      experiment: 'slowest of 20 bodies of 1 MB, up to 4 % loss',
      metric: 'totalRequestTimeMs',
      networks: lossy([0, 2, 4]),
      figure: 'alike below 8 % loss',
      expects: 'equivalent' as const,
      source: 'section 4.2, figure 5',
    },
    {
      ...liu2025,
      experiment: 'slowest of 20 bodies of 1 MB, 12 % loss',
      metric: 'totalRequestTimeMs',
      networks: lossy([12]),
      figure: 'HTTP/2 113.42 s, HTTP/3 20.98 s (−81.5 %)',
      expects: 'better' as const,
      source: 'section 4.2, figure 5',
    },
  ],
};
const scales = {
  // A fifth of the bytes: what TCP waits at 12 % loss would else take two minutes a trial. Curl, which the study took, loses
  // packets in its own receive buffer with 20 streams (8 of 10 loads where the path drops none; OpenSSL's QUIC).
  quick: {
    ...common,
    workloads: ['download-200kb-x20'],
    clients: ['quic-go'],
    networks: lossy([0, 12]),
    repetitions: 9,
  },
  standard: { ...common, clients: ['quic-go', 'best'], networks: lossy([0, 2, 4, 8, 12]), repetitions: 9 },
  paper: { ...common, clients: ['curl', 'best'], networks: lossy([0, 2, 4, 8, 12]), repetitions: 20 },
};

/** Figure 5. */
export const liuMultiPreset: Preset = {
  id: 'liu2025-multi',
  title: '20 bodies of 1 MB at once, 0 to 12 % loss, from nginx (Liu et al. 2025)',
  plan: scales.quick,
  scales,
};
