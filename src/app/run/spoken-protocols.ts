import { noH2Reason, noH3Reason } from '../../../harness/servers/spoken-protocols.ts';
import { hostWithPort, type LivePage } from '../../core/model/live-address.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PreparedWorkload } from '../../core/model/workload.ts';
import { contentOf } from '../plan/arm-addresses.ts';
import type { SpokenProtocols } from '../preflight/facts.ts';

/**
 * What every live address speaks of what arms will force upon it, by workload; what no arm asks for is not tried.
 *
 * @param patienceMs how long an answer over QUIC is waited for; default: 5 s
 */
export async function spokenProtocols(
  { trials }: Pick<Plan, 'trials'>,
  prepared: ReadonlyMap<string, Pick<PreparedWorkload, 'live'>>,
  patienceMs?: number,
): Promise<ReadonlyMap<string, SpokenProtocols>> {
  const asking = [...prepared].flatMap(([workload, { live }]) => {
    const own = trials.filter((trial) => contentOf(trial) === workload);
    const protocols = new Set(own.map(({ factors }) => factors.protocol));
    return live === undefined ? [] : [{ workload, live, protocols }];
  });
  const spoken = await Promise.all(
    asking.map(
      async ({ workload, live, protocols }) =>
        [workload, await spokenBy(live, protocols, patienceMs)] as const,
    ),
  );
  return new Map(spoken);
}

/** What one address speaks of what is asked of it. */
async function spokenBy(
  { remote: { url, address, altSvc } }: Pick<LivePage, 'remote'>,
  asked: ReadonlySet<string | undefined>,
  patienceMs: number | undefined,
): Promise<SpokenProtocols> {
  const at = address.lastIndexOf(':');
  const place = { url: new URL(url), host: address.slice(0, at), port: Number(address.slice(at + 1)) };
  const [h2, h3] = await Promise.all([
    asked.has('h2') ? noH2Reason(place) : null,
    asked.has('h3') ? noH3Reason(place, patienceMs) : null,
  ]);
  return { host: hostWithPort(place.url), announcedH3: announcedIn(altSvc ?? '', place.url), h2, h3 };
}

/** The first place of HTTP/3 in the header; one without a name is at the address's own (RFC 7838, 3). */
function announcedIn(altSvc: string, { hostname }: URL): string | null {
  const [, name, port] = /\bh3="([^":]*):(\d+)"/.exec(altSvc) ?? [];
  return port === undefined
    ? null
    : hostWithPort(new URL(`https://${name === '' ? hostname : name}:${port}`));
}
