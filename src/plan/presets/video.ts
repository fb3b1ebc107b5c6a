import type { Preset } from './preset.ts';

export const videoPreset: Preset = {
  id: 'video',
  title: 'DASH video up to 200 Mbit/s, 2 s chunks, buffer-based ABR, H2 against H3',
  plan: {
    workloads: ['video-padded-2s-bba'],
    repetitions: 8,
    primary: { video: 'meanChunkThroughputMbps' },
  },
};
