import { benchPreset } from './bench.ts';
import { downloadPreset } from './download.ts';
import { fastPathPreset, lossyPathPreset } from './known-effects.ts';
import type { Preset } from './preset.ts';
import { videoPreset } from './video.ts';
import { webPreset } from './web.ts';

/** Every preset; a new one is one file and one line here. */
export const presets: readonly Preset[] = [
  videoPreset,
  webPreset,
  downloadPreset,
  benchPreset,
  lossyPathPreset,
  fastPathPreset,
];
