import { networkSpecSchema, type NetworkSpec } from '../../src/core/model/network-spec.ts';

const rateMbps = 10;
/** 1000 packets of 1500 bytes, netem's default limit: the text of the study states none. */
const queueBytes = 1_500_000;

function liuNetwork(delayMs: number, lossPercent: number): NetworkSpec {
  const direction = { rateMbps, queueBytes, delayMs, lossPercent };
  return networkSpecSchema.parse({
    id: `liu-${rateMbps}mbit-${delayMs}ms-${lossPercent}pct`,
    title: `${rateMbps} Mbit/s, ${delayMs} ms and ${lossPercent} % loss in each direction (Liu et al.)`,
    source:
      'Liu et al., Performance Comparison of HTTP/3 and HTTP/2: Proxy vs. Non-Proxy Environments; queue assumed: netem default of 1000 packets',
    up: direction,
    down: direction,
  });
}

/** The grid of the study, and its two points of heavy loss without delay. */
export const liuNetworks: readonly NetworkSpec[] = [
  ...[0, 25, 50].flatMap((delayMs) => [0, 2, 4].map((lossPercent) => liuNetwork(delayMs, lossPercent))),
  liuNetwork(0, 8),
  liuNetwork(0, 12),
];
