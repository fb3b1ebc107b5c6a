import type { Preset } from './preset.ts';
import { idealNetwork, liu2025, liuNetworkName, worstNetwork } from './liu2025.ts';

const downloads = (sizes: readonly string[]): string[] => sizes.map((size) => `download-${size}`);
const grid = [0, 25, 50].flatMap((delayMs) =>
  [0, 2, 4].map((lossPercent) => liuNetworkName(delayMs, lossPercent)),
);
const common = {
  servers: ['nginx'],
  primary: { download: 'totalWithConnectMs' },
  published: [
    {
      ...liu2025,
      experiment: 'no body, nothing impaired',
      metric: 'totalWithConnectMs',
      workloads: ['download-0kb'],
      networks: [idealNetwork],
      figure: 'HTTP/3 14.5 % faster',
      expects: 'better' as const,
      source: 'section 4.1, figure 4',
    },
    {
      ...liu2025,
      experiment: '10 MB, nothing impaired',
      metric: 'totalWithConnectMs',
      workloads: ['download-10mb'],
      networks: [idealNetwork],
      figure: 'about 9 s over both',
      expects: 'equivalent' as const,
      source: 'section 4.1, figure 4',
    },
    {
      ...liu2025,
      experiment: '1 and 10 MB, 50 ms and 4 % loss each way',
      metric: 'totalWithConnectMs',
      workloads: ['download-1mb', 'download-10mb'],
      networks: [worstNetwork],
      figure: '10 MB: HTTP/3 about 15 s, HTTP/2 about 106 s',
      expects: 'better' as const,
      source: 'section 4.1, figure 4',
    },
  ],
};
const scales = {
  quick: {
    ...common,
    ...{ workloads: downloads(['0kb', '1mb']), networks: [idealNetwork, worstNetwork] },
    ...{ clients: ['curl'], repetitions: 10 },
  },
  standard: {
    ...common,
    ...{ workloads: downloads(['0kb', '100kb', '1mb', '10mb']), networks: [idealNetwork, worstNetwork] },
    ...{ clients: ['curl', 'best'], repetitions: 11 },
  },
  paper: {
    ...common,
    ...{ workloads: downloads(['0kb', '10kb', '100kb', '500kb', '1mb', '5mb', '10mb']), networks: grid },
    ...{ clients: ['curl', 'best'], repetitions: 20 },
  },
};

/** Figure 4: one body, with the handshake in its time. */
export const liuSinglePreset: Preset = {
  id: 'liu2025-single',
  title: 'One body of 0 KB to 10 MB, loss by delay, from nginx (Liu et al. 2025)',
  plan: scales.quick,
  scales,
};
