import type { Preset } from './preset.ts';
import { videoPreset } from './video.ts';
import { webLoopbackPreset } from './web.ts';

export const benchPreset: Preset = {
  id: 'bench',
  title: 'Pages, video and a 100 MB download in one run',
  plan: {
    workloads: [...(videoPreset.plan.workloads ?? []), 'download-100mb'],
    sites: webLoopbackPreset.plan.sites,
    repetitions: 8,
  },
};
