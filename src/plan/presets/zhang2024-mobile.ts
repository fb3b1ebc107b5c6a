import type { Preset } from './preset.ts';

const common = { workloads: ['page-agency'], clients: ['best', 'android'], primary: { page: 'pltMs' } };
const scales = {
  quick: { ...common, repetitions: 8 },
  standard: { ...common, repetitions: 12 },
  paper: { ...common, repetitions: 20 },
};

/** Section 2, table 1. A phone reaches no server inside this machine: with `--url` both load the same address. */
export const zhangMobilePreset: Preset = {
  id: 'zhang2024-mobile',
  title: 'A page on the desktop and on a phone over adb; the phone wants --url (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
