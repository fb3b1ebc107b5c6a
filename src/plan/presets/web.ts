import type { Preset } from './preset.ts';

export const webPreset: Preset = {
  id: 'web',
  title: 'Page loads of six real pages, cold, H2 against H3; the pooled page load time decides',
  plan: {
    workloads: [
      'page-tabler-index',
      'page-gentelella',
      'page-admin-lte',
      'page-soft-ui',
      'page-agency',
      'page-swagger',
    ],
    repetitions: 8,
    primary: { page: 'pltMs' },
  },
};
