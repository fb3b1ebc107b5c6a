import type { Preset } from './preset.ts';

export const webPreset: Preset = {
  id: 'web',
  title:
    'Page loads of four real pages and four replicas of different sizes, cold, H2 against H3; the pooled page load time decides',
  plan: {
    sites: ['default'],
    repetitions: 8,
    primary: { page: 'pltMs' },
  },
};
