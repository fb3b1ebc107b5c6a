import type { Preset } from './preset.ts';

export const downloadPreset: Preset = {
  id: 'download',
  title: 'Bulk downloads of 1 MB, 10 MB, 100 MB and 1 GB, H2 against H3',
  plan: {
    workloads: ['download-1mb', 'download-10mb', 'download-100mb', 'download-1gb'],
    sequential: true,
    repetitions: 20,
    budgetMinutes: 4,
    primary: { download: 'throughputMbps' },
  },
};
