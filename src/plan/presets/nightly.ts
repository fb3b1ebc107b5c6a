import type { Preset } from './preset.ts';

/** About half an hour with two browsers over two protocols in 20 blocks; most nights are decided after 12. */
export const nightlyPreset: Preset = {
  id: 'nightly',
  title:
    'Three pages, a 10 MB download and a video, for a nightly check of a browser against the accepted one',
  plan: {
    workloads: ['page-agency', 'page-soft-ui', 'page-gentelella', 'download-10mb', 'video-padded-2s-bba'],
    repetitions: 20,
    primary: { page: 'pltMs', download: 'throughputMbps', video: 'meanChunkThroughputMbps' },
  },
};
