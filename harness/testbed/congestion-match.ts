import { congestionKind } from '../../src/core/model/congestion-kind.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { noTcp, type NetworkDescription, type ServerDescription } from '../../src/core/model/environment.ts';
import type { ArmProtocol } from '../../src/core/model/protocol.ts';
import type { TestbedFacts } from '../../src/core/model/testbed-facts.ts';

/**
 * On an impaired network two arms with unlike congestion control would measure the algorithms.
 *
 * @throws H2h3Error `unsupported` naming both when QUIC's and TCP's algorithm of the server differ in kind.
 */
export function requireLikeCongestion(network: NetworkDescription, server: ServerDescription): void {
  const { quicCongestionControl: quic, tcpCongestionControl: tcp, tcpCongestionControlNote } = server;
  if (!network.impaired || tcp === noTcp || congestionKind(quic) === congestionKind(tcp)) return;
  const why = tcpCongestionControlNote === undefined ? '' : ` (${tcpCongestionControlNote})`;
  throw new H2h3Error(
    'unsupported',
    `congestion control differs on the impaired network ${network.id}: ${server.id} runs ${quic} for QUIC and ${tcp} for TCP${why}; the comparison would measure the algorithms`,
    {
      context: { expected: `${congestionKind(quic)} on both`, got: `${quic} and ${tcp}` },
      next: 'Allow the algorithm (sysctl net.ipv4.tcp_allowed_congestion_control), choose another server, or say --allow-congestion-mismatch: the report then carries a banner.',
    },
  );
}

/**
 * That every sender on the way really runs what was asked for over the transport that is used there: on the first link what
 * the client speaks, behind a proxy what that speaks to the next hop.
 *
 * @param asked by link from the client on, or one for all
 * @throws H2h3Error `unsupported` naming the sender and what it runs instead.
 */
export function requireCongestion(
  { proxies, server }: Pick<TestbedFacts, 'proxies' | 'server'>,
  asked: readonly string[],
  protocol: ArmProtocol,
): void {
  for (const [index, sender] of [...proxies, server].entries()) {
    const wanted = asked.length === 1 ? asked[0] : asked[index];
    if (wanted === undefined) continue;
    const { quicCongestionControl: quic, tcpCongestionControl: tcp, tcpCongestionControlNote } = sender;
    const asks = index === 0 ? protocol : (proxies[index - 1]?.upstreamProtocol ?? 'auto');
    const needed = asks === 'h3' ? [quic] : asks === 'auto' ? [tcp, quic] : [tcp];
    const lacking = needed.find((name) => congestionKind(name) !== congestionKind(wanted));
    if (lacking === undefined) continue;
    const over = lacking === quic && asks !== 'h1' && asks !== 'h2' ? 'QUIC' : 'TCP';
    const why =
      over === 'TCP' && tcpCongestionControlNote !== undefined ? ` (${tcpCongestionControlNote})` : '';
    throw new H2h3Error(
      'unsupported',
      `${sender.id} ${sender.version} cannot run ${wanted} over ${over}: it runs ${lacking}${why}`,
      {
        context: { expected: wanted, got: lacking },
        next: 'Choose another server or proxy (npx h2h3 describe servers says what each offers), or another algorithm.',
      },
    );
  }
}
