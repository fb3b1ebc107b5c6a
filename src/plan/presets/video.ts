import type { Preset } from './preset.ts';

export const videoPreset: Preset = {
  id: 'video',
  title: 'DASH video up to 200 Mbit/s over 5G while driving, 2 s chunks, buffer-based ABR, H2 against H3',
  plan: {
    workloads: ['video-padded-2s-bba'],
    // Where this cannot be had the preset runs over loopback, with a warning.
    networks: ['5g-driving'],
    sequential: true,
    repetitions: 20,
    budgetMinutes: 4,
    primary: { video: 'meanChunkThroughputMbps' },
  },
};
