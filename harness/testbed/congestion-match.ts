import { H2h3Error } from '../../src/model/errors.ts';
import type { NetworkDescription, ServerDescription } from '../../src/model/environment.ts';

/** The algorithm behind a server's words for it: `New Reno (quic-go)` is `reno`. */
function kindOf(name: string): string {
  const lower = name.toLowerCase();
  return ['reno', 'cubic', 'bbr'].find((kind) => lower.includes(kind)) ?? lower;
}

/**
 * On an impaired network two arms with unlike congestion control would measure the algorithms.
 *
 * @throws H2h3Error `unsupported` naming both when QUIC's and TCP's algorithm of the server differ in kind.
 */
export function requireLikeCongestion(network: NetworkDescription, server: ServerDescription): void {
  const { quicCongestionControl: quic, tcpCongestionControl: tcp, tcpCongestionControlNote } = server;
  if (!network.impaired || kindOf(quic) === kindOf(tcp)) return;
  const why = tcpCongestionControlNote === undefined ? '' : ` (${tcpCongestionControlNote})`;
  throw new H2h3Error(
    'unsupported',
    `congestion control differs on the impaired network ${network.id}: ${server.id} runs ${quic} for QUIC and ${tcp} for TCP${why}; the comparison would measure the algorithms`,
    {
      context: { expected: `${kindOf(quic)} on both`, got: `${quic} and ${tcp}` },
      next: 'Allow the algorithm (sysctl net.ipv4.tcp_allowed_congestion_control), choose another server, or say --allow-congestion-mismatch: the report then carries a banner.',
    },
  );
}
