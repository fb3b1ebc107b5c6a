import type { Preset } from './preset.ts';
import { zhang2024 } from './zhang2024.ts';

const common = {
  networks: ['ethernet-1g'],
  probes: ['packets', 'transport', 'qlog'],
  primary: { download: 'transportPacketsReceived' },
  published: [
    {
      ...zhang2024,
      experiment: 'packets that the transport of the client sees, 1 GB',
      metric: 'transportPacketsReceived',
      figure: '744 000 over QUIC, 58 000 over TCP, which gets them joined',
      expects: 'worse' as const,
      source: 'section 5.2',
    },
    {
      ...zhang2024,
      experiment: 'round trip of packets, as the sender smooths it',
      metric: 'smoothedRttMs',
      figure: '16.2 ms over QUIC, 1.9 ms over TCP',
      expects: 'worse' as const,
      source: 'section 5.2',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-100mb'], repetitions: 8 },
  standard: { ...common, workloads: ['download-100mb', 'download-1gb'], repetitions: 8 },
  paper: { ...common, workloads: ['download-1gb'], clients: ['chrome', 'chromium'], repetitions: 20 },
};

/** Section 5.2. The packets are what is judged: times of trials that count them are none. */
export const zhangPacketsPreset: Preset = {
  id: 'zhang2024-packets',
  title: 'Packets that the client’s transport sees (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
