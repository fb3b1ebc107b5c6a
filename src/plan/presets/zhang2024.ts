import { mobileClasses } from '../../model/mobile-classes.ts';
import { traceGenerators, type TraceGenerator } from '../../model/network-spec.ts';
import type { CustomNetwork } from '../plan-file.ts';

export const zhang2024 = {
  study: 'Zhang et al., QUIC is not Quick Enough over Fast Internet, WWW 2024',
  machine:
    'client i7-6700 (3.4 GHz), server Xeon E5-2640, two hops of 1 Gbit/s Ethernet (ping 0.23 ms), OpenLiteSpeed 1.7.15, CUBIC, Chrome 102, Firefox 105, Edge 106, Opera 93',
} as const;

/**
 * The study ran CUBIC over QUIC and TCP. HAProxy has it for QUIC, and TCP is paired with it; its window for QUIC holds no
 * path of some round trip, which these have not.
 */
export const cubicBesideEachOther = { servers: ['haproxy'] };

/** CUBIC where there is a round trip: Envoy, whose window is wide, and which runs BBR unless asked. */
export const cubicOverRoundTrips = { servers: ['envoy'], set: { congestion: 'cubic' } };

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

/** What the Ethernet of the study carries: its traces go no higher. */
const ethernetMbps = 975;
const tracesOfAClass = [1, 2];

function mobile(network: TraceGenerator, trace: number): CustomNetwork {
  const { rttMs, uplinkShare, queueBytes } = mobileClasses[network];
  const source = {
    format: 'generated',
    generator: network,
    durationSeconds: 3600,
    capMbps: ethernetMbps,
  } as const;
  const direction = {
    queueBytes,
    delayMs: rttMs / 2,
    rateMbps: null,
    lossPercent: 0,
    jitterMs: 0,
    reorderPercent: 0,
  };
  return {
    title: `${network.replace('-', ', ')}, trace ${trace}, up to the ${ethernetMbps} Mbit/s of its Ethernet (Zhang et al.)`,
    source:
      'Zhang et al. 2024, section 4.1: two walking and two driving traces of 4G and 5G each; generated with the statistics of Lumos5G (Narayanan et al., IMC 2020), round trip its Speedtest medians, uplink and queue assumed',
    // The seed of the first of each class is that of the network of everyday use, so that they differ by their cap alone.
    up: { ...direction, trace: { ...source, seed: 2 * trace, scale: uplinkShare } },
    down: { ...direction, trace: { ...source, seed: 2 * trace - 1, scale: 1 } },
  };
}

/** Two traces of each class, not cut below what the study's Ethernet carries: `zhang-5g-driving-2`. */
export const zhangMobiles: Readonly<Record<string, CustomNetwork>> = Object.fromEntries(
  traceGenerators.flatMap((one) =>
    tracesOfAClass.map((trace) => [`zhang-${one}-${trace}`, mobile(one, trace)]),
  ),
);
