import { percentOfWall } from './evidence/percent-of-wall.ts';
import { cpuMetric } from './cpu-metric.ts';

export const networkServiceCpuPercent = cpuMetric({
  name: 'networkServiceCpuPercent',
  title: 'CPU use of the networking process',
  meaning: 'CPU time of the browser process that does the networking, over wall time.',
  source: 'Zhang et al. 2024, Fig. 5, Table 2',
  unit: '%',
  formula: ({ networkingSeconds, wallMs }) =>
    networkingSeconds === null ? null : percentOfWall(networkingSeconds, wallMs),
});
