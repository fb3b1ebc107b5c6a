import { networkSpecSchema, type NetworkSpec } from '../../src/core/model/network-spec.ts';

const rttMs = 36;
/** The buffer of the study's experiments on fairness. */
const minQueueBytes = 30_000;

function kakhkiNetwork(rateMbps: number): NetworkSpec {
  const bandwidthDelayBytes = Math.round((rateMbps * 1e6 * rttMs) / 1000 / 8);
  const direction = {
    rateMbps,
    queueBytes: Math.max(minQueueBytes, bandwidthDelayBytes),
    delayMs: rttMs / 2,
  };
  return networkSpecSchema.parse({
    id: `kakhki-${rateMbps}mbit`,
    title: `${rateMbps} Mbit/s, ${rttMs} ms round trip (Kakhki et al.)`,
    source:
      'Kakhki et al., Taking a Long Look at QUIC (IMC 2017), figure 6; queue: one bandwidth-delay product, at least the 30 KB of its experiments on fairness',
    up: direction,
    down: direction,
  });
}

export const kakhkiNetworks: readonly NetworkSpec[] = [5, 10, 50, 100].map(kakhkiNetwork);
