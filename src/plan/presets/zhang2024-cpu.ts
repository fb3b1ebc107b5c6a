import type { Preset } from './preset.ts';
import { cubicBesideEachOther, zhang2024 } from './zhang2024.ts';

/** Both protocols at these shares of one CPU, compared share by share. */
function atShares(percents: readonly number[]): { arms: string[]; compare: [string, string][] } {
  const pairs = percents.map((percent): [string, string] => [`h2+cpu=${percent}%`, `h3+cpu=${percent}%`]);
  return { arms: pairs.flat(), compare: pairs };
}

const common = {
  ...cubicBesideEachOther,
  networks: ['ethernet-1g'],
  workloads: ['download-100mb'],
  primary: { download: 'throughputMbps' },
  published: [
    {
      ...zhang2024,
      experiment: 'clock of the CPU from 1.6 to 4.8 GHz; here a share of one CPU for the whole browser',
      metric: 'throughputMbps',
      figure: 'HTTP/3 about 200 Mbit/s at 1.6 GHz and 530 at 4.8 GHz, HTTP/2 above 900 Mbit/s throughout',
      expects: 'worse' as const,
      source: 'section 3.3, figure 7',
    },
  ],
};
const scales = {
  quick: { ...common, ...atShares([100, 50]), repetitions: 8 },
  standard: { ...common, ...atShares([100, 75, 50, 25]), repetitions: 12 },
  paper: {
    ...common,
    ...atShares([100, 80, 60, 40, 20]),
    workloads: ['download-1gb'],
    clients: ['chrome', 'chromium'],
    repetitions: 20,
  },
};

/** Figure 7: where the protocols part when the client gets slower. */
export const zhangCpuPreset: Preset = {
  id: 'zhang2024-cpu',
  title: 'Throughput at 1 Gbit/s with less CPU for the browser (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
