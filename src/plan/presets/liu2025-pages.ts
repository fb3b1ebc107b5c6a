import type { Preset } from './preset.ts';
import { idealNetwork, liu2025, worstNetwork } from './liu2025.ts';

const common = {
  networks: [idealNetwork, worstNetwork],
  servers: ['nginx'],
  primary: { page: 'speedIndexMs' },
  pooled: { page: true },
  published: [
    {
      ...liu2025,
      experiment: 'Speed Index of 18 sites, nothing impaired',
      metric: 'speedIndexMs',
      networks: [idealNetwork],
      figure: 'alike, most of them fast (up to 3.4 s)',
      expects: 'equivalent' as const,
      source: 'section 4.4, figure 7',
    },
    {
      ...liu2025,
      experiment: 'Speed Index of 18 sites, 50 ms and 4 % loss each way',
      metric: 'speedIndexMs',
      networks: [worstNetwork],
      figure: 'many moderate (up to 5.8 s) or slow over HTTP/2; most fast or low moderate over HTTP/3',
      expects: 'better' as const,
      source: 'section 4.4, figure 7',
    },
  ],
};
const scales = {
  // Small pages alone: what a loss-based sender takes for the others at 4 % would fill an hour.
  quick: {
    ...common,
    sites: ['page-swagger', 'page-gentelella', 'replica-www.linkedin.com', 'replica-www.ilovepdf.com'],
    repetitions: 8,
  },
  standard: { ...common, sites: ['default', 'small'], repetitions: 8 },
  paper: { ...common, sites: ['default', 'small'], repetitions: 20 },
};

/** Figure 7. The study's 18 sites are not archived anywhere: replicas and packages stand for them. */
export const liuPagesPreset: Preset = {
  id: 'liu2025-pages',
  title: 'Speed Index of pages without and with loss and delay (Liu et al. 2025)',
  plan: scales.quick,
  scales,
};
