import type { Preset } from './preset.ts';
import { liu2025, worstNetwork } from './liu2025.ts';

const common = {
  networks: [worstNetwork],
  servers: ['nginx'],
  // curl with OpenSSL's QUIC gets no answer from Envoy.
  clients: ['quic-go'],
  arms: ['h2', 'h3', 'h2+proxy=envoy+congestion=bbr', 'h3+proxy=envoy+congestion=bbr'],
  compare: [
    ['h2', 'h3'],
    ['h2', 'h2+proxy=envoy+congestion=bbr'],
    ['h2+proxy=envoy+congestion=bbr', 'h3+proxy=envoy+congestion=bbr'],
  ] as [string, string][],
  allowCongestionMismatch: true,
  primary: { download: 'totalWithConnectMs' },
  published: [
    {
      ...liu2025,
      experiment: '10 MB, 50 ms and 4 % loss each way, directly and through Envoy with BBR',
      metric: 'totalWithConnectMs',
      figure: 'HTTP/3 about 15 s, HTTP/2 about 106 s, HTTP/2 through the proxy about 10 s (−90 %)',
      source: 'section 4.1, figure 4',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-1mb'], repetitions: 9 },
  standard: { ...common, workloads: ['download-1mb', 'download-5mb'], repetitions: 9 },
  paper: { ...common, workloads: ['download-1mb', 'download-10mb'], repetitions: 20 },
};

/** What a proxy that runs BBR towards the client takes away from either protocol's loss. */
export const liuProxyPreset: Preset = {
  id: 'liu2025-proxy',
  title: 'With and without Envoy and BBR between, 50 ms and 4 % loss (Liu et al. 2025)',
  plan: scales.quick,
  scales,
};
