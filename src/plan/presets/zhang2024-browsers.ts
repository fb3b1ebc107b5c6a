import type { Preset } from './preset.ts';
import { cubicBesideEachOther, zhang2024 } from './zhang2024.ts';

const common = {
  ...cubicBesideEachOther,
  networks: ['ethernet-1g'],
  primary: { download: 'throughputMbps' },
  published: [
    {
      ...zhang2024,
      experiment: 'throughput of Chrome, Edge and Opera, 50 MB to 1 GB',
      metric: 'throughputMbps',
      clients: ['chrome', 'chromium', 'embedded', 'edge', 'opera'],
      figure: 'Chrome: HTTP/3 478 Mbit/s at best, up to 45.2 % lower',
      expects: 'worse' as const,
      source: 'section 3.3, figures 4, 5 and 8',
    },
    {
      ...zhang2024,
      experiment: 'throughput of Firefox',
      metric: 'throughputMbps',
      clients: ['firefox'],
      figure: 'lower over HTTP/3, as in all four browsers',
      expects: 'worse' as const,
      source: 'section 3.3, figure 8',
    },
    {
      ...zhang2024,
      experiment: 'CPU of the networking process, HTTP/2 and HTTP/3',
      metric: 'networkServiceCpuPercent',
      figure:
        'Chrome 77.1 and 97.4 %, Edge 28.4 and 81.1 %, Opera 27.9 and 84.9 %; Firefox (whole browser) 185.8 and 213.0 %',
      expects: 'worse' as const,
      source: 'section 3.3, table 2',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-100mb'], clients: ['best', 'firefox'], repetitions: 8 },
  standard: {
    ...common,
    workloads: ['download-100mb', 'download-1gb'],
    clients: ['chrome', 'chromium', 'edge', 'opera', 'firefox'],
    repetitions: 12,
  },
  paper: {
    ...common,
    workloads: ['download-50mb', 'download-200mb', 'download-1gb'],
    clients: ['chrome', 'chromium', 'edge', 'opera', 'firefox'],
    repetitions: 20,
  },
};

/** Figures 4, 5 and 8, table 2. */
export const zhangBrowsersPreset: Preset = {
  id: 'zhang2024-browsers',
  title: 'Browsers at 1 Gbit/s, throughput and CPU of the networking process (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
