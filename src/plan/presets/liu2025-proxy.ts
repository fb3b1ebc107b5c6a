import type { Preset } from './preset.ts';
import { liu2025, worstNetwork } from './liu2025.ts';

const direct: [string, string] = ['h2', 'h3'];
const throughProxy: [string, string] = ['h2', 'h2+proxy=envoy+congestion=bbr'];
const behindProxy: [string, string] = ['h2+proxy=envoy+congestion=bbr', 'h3+proxy=envoy+congestion=bbr'];
const at = { ...liu2025, metric: 'totalWithConnectMs', source: 'section 4.1, figure 4' };
const common = {
  networks: [worstNetwork],
  servers: ['nginx'],
  // curl with OpenSSL's QUIC gets no answer from Envoy.
  clients: ['quic-go'],
  arms: ['h2', 'h3', 'h2+proxy=envoy+congestion=bbr', 'h3+proxy=envoy+congestion=bbr'],
  compare: [direct, throughProxy, behindProxy],
  allowCongestionMismatch: true,
  primary: { download: 'totalWithConnectMs' },
  published: [
    {
      ...at,
      experiment: '10 MB, 50 ms and 4 % loss each way, directly',
      compare: direct,
      figure: 'HTTP/3 about 15 s, HTTP/2 about 106 s',
      expects: 'better' as const,
    },
    {
      ...at,
      experiment: 'the same, HTTP/2 through Envoy with BBR against HTTP/2 directly',
      compare: throughProxy,
      figure: 'about 10 s against about 106 s (−90 %)',
      expects: 'better' as const,
    },
    {
      ...at,
      experiment: 'the same, both through Envoy with BBR',
      compare: behindProxy,
      figure: 'HTTP/2 about 10 s; the proxy changes HTTP/3 little',
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
