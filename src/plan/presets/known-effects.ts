import type { Preset } from './preset.ts';

/**
 * Two effects that studies published, to be seen on this machine: over 10 Mbit/s with 50 ms and 4 % loss each way and
 * loss-based control on both sides HTTP/3 is faster (Liu et al. section 4.1: 10 MB in about 15 s against 106 s, 7 times; by
 * hand with this project's servers, New Reno on both, 1.2 to 1.4 times).
 */
export const lossyPathPreset: Preset = {
  id: 'known-effect-loss',
  title:
    '10 MB over 10 Mbit/s, 50 ms and 4 % loss each way: HTTP/3 should be faster (Liu et al. section 4.1)',
  plan: {
    workloads: ['download-10mb'],
    networks: ['liu-10mbit-50ms-4pct'],
    repetitions: 8,
    primary: { download: 'throughputMbps' },
  },
};

/**
 * Over 1 Gbit/s with nothing impaired HTTP/2 is faster for 1 GB in Chromium (Zhang et al. 2024, section 3.3; by hand 870
 * against 640 Mbit/s).
 */
export const fastPathPreset: Preset = {
  id: 'known-effect-fast',
  title: '1 GB over 1 Gbit/s Ethernet: HTTP/2 should be faster in Chromium (Zhang et al. 2024, section 3.3)',
  plan: {
    workloads: ['download-1gb'],
    networks: ['ethernet-1g'],
    repetitions: 8,
    primary: { download: 'throughputMbps' },
  },
};
