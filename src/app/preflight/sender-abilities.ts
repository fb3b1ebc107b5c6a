import { proxyNamed, proxySoftware } from '../../../harness/proxies/registry.ts';
import { serverNamed, serverSoftware } from '../../../harness/servers/registry.ts';
import { factorsAppliedBy, serverUnableReason } from '../../../harness/servers/sender-settings.ts';
import type { ServerSoftware } from '../../../harness/servers/server-software.ts';
import { hopsOf, senderAppliers, testbedRequestOf } from '../../../harness/testbed/testbed-request.ts';
import { factorsSetIn, type AnyFactor } from '../../core/factors/registry.ts';
import { mustApply, valuesOf } from '../../core/factors/values.ts';
import { liveServer } from '../../core/model/live-address.ts';
import { trialCheck } from './trial-check.ts';

/** Every sender between client and files, from the client on; names of nothing are left to another check. */
function sendersOf(proxies: readonly string[], server: string): readonly (ServerSoftware | undefined)[] {
  return [...proxies.map(proxyNamed), serverNamed(server)];
}

/** Which algorithms a QUIC has is known beforehand, of the server and of proxies; what the kernel's TCP has shows when it is asked. */
export const senderCongestion = trialCheck('sender-congestion', [], (trial) => {
  const { factors, server } = trial;
  if (factors.congestion === undefined || server === liveServer) return undefined;
  const { congestions, proxies } = hopsOf(testbedRequestOf(trial));
  const senders = sendersOf(proxies, server);
  const index = senders.findIndex((sender, hop) => {
    const spoken = hop === 0 ? factors.protocol : senders[hop - 1]?.upstreamProtocol;
    const asked = congestions[hop];
    return spoken === 'h3' && asked !== undefined && sender?.quicCongestionControls.includes(asked) === false;
  });
  const sender = senders[index];
  const wanted = congestions[index];
  if (sender === undefined || wanted === undefined) return undefined;
  const alike = index < proxies.length ? proxySoftware : serverSoftware;
  const able = alike.filter(({ quicCongestionControls }) => quicCongestionControls.includes(wanted));
  const own = sender.quicCongestionControls.join(', ');
  return {
    reason: `${sender.id} cannot run ${wanted} over QUIC: it has ${own}`,
    next: `${able.map(({ id }) => `${id} can. `).join('')}Or ask ${sender.id} for ${own}.`,
  };
});

/** Every proxy and the server must apply what is asked of senders or of the server: each of them is started with all of it. */
export const senderFactors = trialCheck('sender-factors', [], ({ factors, server }) => {
  if (server === liveServer) return undefined;
  const values = valuesOf(factors);
  const { proxy: proxies = [] } = values;
  for (const factor of factorsSetIn(factors)) {
    if (!mustApply(factor, values[factor.id], senderAppliers, factors)) continue;
    const unable = (sender: ServerSoftware | undefined): boolean =>
      sender !== undefined && !applies(sender, factor);
    const lacking = sendersOf(proxies, server).find(unable);
    if (lacking === undefined) continue;
    const able = serverSoftware.filter((software) => applies(software, factor)).map(({ id }) => id);
    const isBehindUnable = proxies.map(proxyNamed).some(unable);
    const next = `${able.join(', ')} can${isBehindUnable ? ', without a proxy before them' : ''}.`;
    return { reason: serverUnableReason(factor, lacking), next };
  }
  return undefined;
});

const applies = (server: ServerSoftware, { id }: AnyFactor): boolean =>
  factorsAppliedBy(server).some((name) => name === id);
