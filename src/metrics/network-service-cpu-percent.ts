import { percentOfWall } from './evidence/percent-of-wall.ts';
import type { Metric } from './metric.ts';

export const networkServiceCpuPercent: Metric = {
  name: 'networkServiceCpuPercent',
  title: 'CPU use of the networking process',
  meaning: 'CPU time of the browser process that does the networking, over wall time.',
  source: 'Zhang et al. 2024, Fig. 5, Table 2',
  unit: '%',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'messages'],
  onDeadline: 'missing',
  formulas: {
    cpu: ({ networkingSeconds, wallMs }) =>
      networkingSeconds === null ? null : percentOfWall(networkingSeconds, wallMs),
  },
};
