import type { Preset } from './preset.ts';
import { zhang2024 } from './zhang2024.ts';

const serversOf = (protocol: string): string[] =>
  ['caddy', 'nginx', 'envoy', 'haproxy'].map((server) => `${protocol}+server=${server}`);
const common = {
  networks: ['ethernet-1g'],
  primary: { download: 'throughputMbps' },
  published: [
    {
      ...zhang2024,
      experiment: 'HTTP/3 from another server: nginx-quic against OpenLiteSpeed',
      metric: 'throughputMbps',
      figure:
        'nginx-quic 18 % slower; cipher, pacing, MTU discovery, client system, tmpfs explain nothing either',
      source: 'section 5.1',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-100mb'], arms: serversOf('h3').slice(0, 3), repetitions: 8 },
  standard: { ...common, workloads: ['download-100mb'], arms: serversOf('h3'), repetitions: 12 },
  paper: {
    ...common,
    workloads: ['download-1gb'],
    arms: [...serversOf('h3'), ...serversOf('h2')],
    repetitions: 20,
  },
};

/** Section 5.1: whether the server's software explains the difference. */
export const zhangFactorsPreset: Preset = {
  id: 'zhang2024-factors',
  title: 'HTTP/3 from several servers at 1 Gbit/s (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
