import { benchPreset } from './bench.ts';
import { downloadPreset } from './download.ts';
import { fastPathPreset, lossyPathPreset } from './known-effects.ts';
import { nightlyPreset } from './nightly.ts';
import { kakhkiVideoPreset } from './kakhki2017-video.ts';
import type { Preset } from './preset.ts';
import { shreedharVideoPreset } from './shreedhar2022-video.ts';
import { versionsPreset } from './versions.ts';
import { videoPreset } from './video.ts';
import { webLoopbackPreset, webPreset } from './web.ts';
import { zhangVideoPreset } from './zhang2024-video.ts';

/** Every preset; a new one is one file and one line here. */
export const presets: readonly Preset[] = [
  videoPreset,
  webPreset,
  webLoopbackPreset,
  downloadPreset,
  benchPreset,
  nightlyPreset,
  lossyPathPreset,
  fastPathPreset,
  zhangVideoPreset,
  shreedharVideoPreset,
  kakhkiVideoPreset,
  versionsPreset,
];
