import { proxyNamed, proxySoftware } from '../../../harness/proxies/registry.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import { honouredBy } from '../../../harness/servers/sender-settings.ts';
import { hopsOf, testbedRequestOf } from '../../../harness/testbed/testbed-request.ts';
import { factorsSetIn, type AnyFactor } from '../../factors/registry.ts';
import { mustHonour, valuesOf, whyUnable } from '../../factors/values.ts';
import { liveServer } from '../../model/live-address.ts';
import { trialCheck } from './trial-check.ts';

type Sender = Pick<(typeof serverSoftware)[number], 'id' | 'quicCongestionControls' | 'honours'>;

/** Which algorithms a server's QUIC has is known beforehand; what the kernel's TCP has shows when it is asked. */
export const senderCongestion = trialCheck('sender-congestion', [], (trial) => {
  const { factors, server } = trial;
  if (factors.congestion === undefined || factors.protocol !== 'h3' || server === liveServer)
    return undefined;
  const { congestions, proxies } = hopsOf(testbedRequestOf(trial));
  const [wanted] = congestions;
  const [first] = proxies;
  const alike: readonly Sender[] = first === undefined ? serverSoftware : proxySoftware;
  const sender = first === undefined ? serverNamed(server) : proxyNamed(first);
  if (wanted === undefined || sender === undefined || sender.quicCongestionControls.includes(wanted))
    return undefined;
  const able = alike.filter(({ quicCongestionControls }) => quicCongestionControls.includes(wanted));
  const own = sender.quicCongestionControls.join(', ');
  return {
    reason: `${sender.id} cannot run ${wanted} over QUIC: it has ${own}`,
    next: `${able.map(({ id }) => `${id} can. `).join('')}Or ask ${sender.id} for ${own}.`,
  };
});

/** What the client speaks with must honour what is asked of senders, and the origin what is asked of the server. */
export const senderFactors = trialCheck('sender-factors', [], ({ factors, server }) => {
  if (server === liveServer) return undefined;
  const [front] = valuesOf(factors).proxy ?? [];
  const origin = serverNamed(server);
  const first = front === undefined ? origin : proxyNamed(front);
  for (const factor of factorsSetIn(factors)) {
    const value = valuesOf(factors)[factor.id];
    const asked = mustHonour(factor, value, ['sender'])
      ? first
      : mustHonour(factor, value, ['server'])
        ? origin
        : undefined;
    if (asked === undefined || honours(asked, factor)) continue;
    const able = serverSoftware.filter((software) => honours(software, factor)).map(({ id }) => id);
    const next = `${able.join(', ')} can${front === undefined ? '' : ', without a proxy before them'}.`;
    return { reason: whyUnable(factor, asked.id), next };
  }
  return undefined;
});

const honours = (server: Sender, { id }: AnyFactor): boolean =>
  honouredBy(server).some((name) => name === id);
