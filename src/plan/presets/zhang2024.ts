import type { CustomNetwork } from '../plan-file.ts';

export const zhang2024 = {
  study: 'Zhang et al., QUIC is not Quick Enough over Fast Internet, WWW 2024',
  machine:
    'client i7-6700 (3.4 GHz), server Xeon E5-2640, two hops of 1 Gbit/s Ethernet (ping 0.23 ms), OpenLiteSpeed 1.7.15, CUBIC, Chrome 102, Firefox 105, Edge 106, Opera 93',
} as const;

/** The link of the study at a lower rate, a queue of 1000 packets; its ping of 0.23 ms is left out, as offloads need. */
function slower(rateMbps: number): CustomNetwork {
  const rate = { rateMbps, queueBytes: 1_500_000 };
  const direction = { ...rate, delayMs: 0, lossPercent: 0, jitterMs: 0, reorderPercent: 0 };
  return {
    title: `${rateMbps} Mbit/s Ethernet, nothing impaired (Zhang et al.)`,
    source: 'Zhang et al. 2024, sections 3.2 and 4.2; queue: 1000 packets, the default of Linux',
    offloads: true,
    up: direction,
    down: direction,
  };
}

/** Links of these rates, by name: `zhang-100mbit`. */
export function zhangNetworks(ratesMbps: readonly number[]): Record<string, CustomNetwork> {
  return Object.fromEntries(ratesMbps.map((rateMbps) => [`zhang-${rateMbps}mbit`, slower(rateMbps)]));
}
