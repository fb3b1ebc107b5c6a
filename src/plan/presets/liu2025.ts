export const liu2025 = {
  study: 'Liu et al., Performance Comparison of HTTP/3 and HTTP/2: Proxy vs. Non-Proxy Environments, 2025',
  machine:
    '10 Mbit/s with loss and delay by tc netem in both directions, nginx 1.25.5 (New Reno on both sides), Envoy as reverse proxy with BBR; curl 8.7.2, Chrome 123, wget 1.20.3, quiche 0.20, aioquic 1.0, Proxygen',
} as const;

/** Names of the study's networks: loss and delay of each direction. */
export const liuNetworkName = (delayMs: number, lossPercent: number): string =>
  `liu-10mbit-${delayMs}ms-${lossPercent}pct`;

export const idealNetwork = liuNetworkName(0, 0);
export const worstNetwork = liuNetworkName(50, 4);
