import { percentOfWall } from './evidence/percent-of-wall.ts';
import { cpuMetric } from './cpu-metric.ts';

export const browserCpuPercent = cpuMetric({
  name: 'browserCpuPercent',
  title: 'CPU use of the browser',
  meaning: 'CPU time of all processes of the browser, over wall time.',
  unit: '%',
  formula: ({ allSeconds, wallMs }) => percentOfWall(allSeconds, wallMs),
});
