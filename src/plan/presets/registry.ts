import { benchPreset } from './bench.ts';
import { downloadPreset } from './download.ts';
import { fallbackPreset } from './fallback.ts';
import { fastPathPreset, lossyPathPreset, sendersPreset } from './known-effects.ts';
import { nightlyPreset } from './nightly.ts';
import { kakhkiVideoPreset } from './kakhki2017-video.ts';
import type { Preset } from './preset.ts';
import { shreedharVideoPreset } from './shreedhar2022-video.ts';
import { versionsPreset } from './versions.ts';
import { videoPreset } from './video.ts';
import { webLoopbackPreset, webPreset } from './web.ts';
import { zhangVideoPreset } from './zhang2024-video.ts';
import { zhangMobilePreset } from './zhang2024-mobile.ts';
import { zhangClientsPreset } from './zhang2024-clients.ts';
import { zhangSweepPreset } from './zhang2024-sweep.ts';
import { zhangBrowsersPreset } from './zhang2024-browsers.ts';
import { zhangWebPreset } from './zhang2024-web.ts';
import { zhangFactorsPreset } from './zhang2024-factors.ts';
import { zhangParallelPreset } from './zhang2024-parallel.ts';
import { zhangCpuPreset } from './zhang2024-cpu.ts';
import { zhangPacketsPreset } from './zhang2024-packets.ts';
import { zhangKernelPreset } from './zhang2024-kernel.ts';
import { liuSinglePreset } from './liu2025-single.ts';
import { liuMultiPreset } from './liu2025-multi.ts';
import { liuMigrationPreset } from './liu2025-migration.ts';
import { liuPagesPreset } from './liu2025-pages.ts';
import { liuProxyPreset } from './liu2025-proxy.ts';
import { kakhkiPagesPreset } from './kakhki2017-pages.ts';
import { kakhkiStatesPreset } from './kakhki2017-states.ts';
import { kakhkiFairnessPreset } from './kakhki2017-fairness.ts';
import { kakhkiGridPreset } from './kakhki2017-grid.ts';
import { shreedharConnectPreset } from './shreedhar2022-connect.ts';
import { shreedharFilesPreset } from './shreedhar2022-files.ts';

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
  sendersPreset,
  zhangVideoPreset,
  shreedharVideoPreset,
  kakhkiVideoPreset,
  zhangClientsPreset,
  zhangSweepPreset,
  zhangBrowsersPreset,
  zhangWebPreset,
  zhangFactorsPreset,
  zhangParallelPreset,
  zhangCpuPreset,
  zhangPacketsPreset,
  zhangKernelPreset,
  zhangMobilePreset,
  liuSinglePreset,
  liuMultiPreset,
  liuMigrationPreset,
  liuPagesPreset,
  liuProxyPreset,
  kakhkiPagesPreset,
  kakhkiGridPreset,
  kakhkiFairnessPreset,
  kakhkiStatesPreset,
  shreedharConnectPreset,
  shreedharFilesPreset,
  versionsPreset,
  fallbackPreset,
];
