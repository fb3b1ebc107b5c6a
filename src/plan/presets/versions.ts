import type { Preset } from './preset.ts';

/** Headless shells only: builds differ more than releases do. */
const shells = ['123', '131', '138', '148', '153'].map((version) => `chromium@${version}`);

export const versionsPreset: Preset = {
  id: 'versions',
  title:
    'Five versions of Chromium from 123 to 153, H2 against H3: a page, a download, a DASH session; for the trend over versions',
  plan: {
    workloads: ['page-agency', 'download-10mb', 'video-ci-1s-bba-6s'],
    clients: shells,
    repetitions: 8,
  },
};
