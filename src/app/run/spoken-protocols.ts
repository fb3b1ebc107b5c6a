import { whyNoH2, whyNoH3 } from '../../../harness/servers/spoken-protocols.ts';
import { hostWithPort, type LivePage } from '../../model/live-address.ts';
import type { Plan } from '../../model/plan.ts';
import type { PreparedWorkload } from '../../model/workload.ts';
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
  const spoken = new Map<string, SpokenProtocols>();
  for (const [workload, { live }] of prepared) {
    if (live === undefined) continue;
    const own = trials.filter((trial) => contentOf(trial) === workload);
    const asked = new Set(own.map(({ factors }) => factors.protocol));
    const [h2, h3] = await spokenBy(live, asked, patienceMs);
    spoken.set(workload, { host: hostWithPort(new URL(live.remote.url)), h2, h3 });
  }
  return spoken;
}

/** Why it speaks no HTTP/2, and no HTTP/3, as far as that is asked; null where it does. */
async function spokenBy(
  { remote: { url, address, altSvc } }: Pick<LivePage, 'remote'>,
  asked: ReadonlySet<string | undefined>,
  patienceMs: number | undefined,
): Promise<readonly [h2: string | null, h3: string | null]> {
  const at = address.lastIndexOf(':');
  const place = { url: new URL(url), host: address.slice(0, at), port: Number(address.slice(at + 1)) };
  // An address that announces HTTP/3 may answer it to those alone who speak its version of QUIC.
  const announcesH3 = /\bh3="/.test(altSvc ?? '');
  return [
    asked.has('h2') ? await whyNoH2(place) : null,
    asked.has('h3') && !announcesH3 ? await whyNoH3(place, patienceMs) : null,
  ];
}
