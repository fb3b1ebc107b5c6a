import { liu2025, worstNetwork } from './liu2025.ts';
import type { Preset } from './preset.ts';

/**
 * Effects that studies published, to be seen on this machine: over 10 Mbit/s with 50 ms and 4 % loss each way and
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

const nginx = { h2: 'h2+server=nginx', h3: 'h3+server=nginx' };
const caddy = { h2: 'h2+server=caddy', h3: 'h3+server=caddy' };
const envoy = { h2: 'h2+server=envoy+congestion=bbr', h3: 'h3+server=envoy+congestion=bbr' };
const behindProxy = 'h2+server=nginx+proxy=envoy+congestion=bbr/reno';
const times = { ...liu2025, metric: 'throughputMbps', source: 'section 4.1, figure 4' };

/**
 * How much faster HTTP/3 is over a lossy path is what its sender makes of losses, not the protocol: nginx's QUIC hardly
 * slows down, Caddy's does as New Reno should, and with BBR on both transports there is nothing left to win.
 */
export const sendersPreset: Preset = {
  id: 'known-effect-senders',
  title: `2 MB over 10 Mbit/s, 50 ms and 4 % loss each way: what HTTP/3 wins is its sender's congestion control`,
  plan: {
    workloads: ['download-2mb'],
    networks: [worstNetwork],
    clients: ['quic-go'],
    arms: [nginx.h2, nginx.h3, caddy.h2, caddy.h3, envoy.h2, envoy.h3, behindProxy],
    compare: [
      [nginx.h2, nginx.h3],
      [caddy.h2, caddy.h3],
      [envoy.h2, envoy.h3],
      [nginx.h2, behindProxy],
    ],
    repetitions: 8,
    primary: { download: 'throughputMbps' },
    published: [
      {
        ...times,
        experiment: '10 MB from nginx, New Reno by its own account on both transports',
        figure: 'HTTP/3 about 15 s, HTTP/2 about 106 s: 7 times as fast',
      },
      {
        ...times,
        experiment: '10 MB over HTTP/2 through Envoy with BBR towards the client',
        figure: 'about 10 s (−90 %)',
      },
    ],
  },
};
