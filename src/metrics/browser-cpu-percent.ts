import { percentOfWall } from './evidence/percent-of-wall.ts';
import type { Metric } from './metric.ts';

export const browserCpuPercent: Metric = {
  name: 'browserCpuPercent',
  title: 'CPU use of the browser',
  meaning: 'CPU time of all processes of the browser, over wall time.',
  unit: '%',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey', 'video', 'download', 'messages'],
  onDeadline: 'missing',
  formulas: {
    cpu: ({ allSeconds, wallMs }) => percentOfWall(allSeconds, wallMs),
  },
};
