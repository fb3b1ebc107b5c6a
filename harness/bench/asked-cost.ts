import { desktop } from '../../src/model/device.ts';
import type { LivePage } from '../../src/model/live-address.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { addedCost, loadOfPage, type AddedCostContext, type Addition } from './added-cost.ts';
import type { BenchRow } from './bench-row.ts';

export interface AskedCostContext extends AddedCostContext {
  /** Settles time and chance for a document, as `--deterministic` does. */
  readonly settlingScript: string;
}

/**
 * What a plan may ask the browser to do while a page loads, in bare trials too: to settle time and chance, to show the page on a
 * device, to leave addresses out, to send headers to the page's own origin.
 */
export function askedCost(
  context: AskedCostContext,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  return addedCost(context, clients, {
    group: 'asked of the browser',
    what: 'wish',
    additionsOf: (client) => Promise.resolve(additionsOf(context, client)),
  });
}

function additionsOf(context: AskedCostContext, { family }: ClientIdentity): Addition[] {
  const { settlingScript } = context;
  const { workload } = context.site;
  const loadMs = loadOfPage;
  const replay = {
    ports: [],
    essentialMisses: 0,
    missShare: 0,
    inexactShare: 0,
    firstScript: settlingScript,
    expectedFailures: [],
    deadHosts: [],
  };
  const live = liveOf(context);
  const ofEach: Addition[] = [
    { name: '--deterministic', workload: { ...workload, replay }, loadMs },
    // Of the usual size: a page on a small screen is another page.
    { name: '--device', workload: { ...workload, device: { ...desktop, name: 'bench' } }, loadMs },
  ];
  // Firefox is told names and ports of live addresses otherwise than those of our server.
  if (family !== 'chromium') return ofEach;
  const access = {
    headers: [{ name: 'x-bench', value: 'asked' }],
    cookies: [],
    state: { cookies: [], origins: [] },
    secrets: [],
  };
  return [
    ...ofEach,
    { name: '--block', workload: { ...workload, live: { ...live, block: ['/ads/'] } }, loadMs },
    { name: '--header', workload: { ...workload, live }, order: { access }, loadMs },
  ];
}

/** The page of the bench as if its server were not ours. */
function liveOf({ server, site }: AskedCostContext): LivePage {
  const at = (host: string): string => `${host}:${server.port}`;
  const { entry, roots } = site.workload;
  const host = 'host' in entry ? entry.host : '';
  return {
    remote: {
      url: `https://${at(host)}/`,
      address: `${server.address}:${server.port}`,
      server: null,
      altSvc: null,
      certificate: { subject: '', issuer: '', validTo: '', sha256: '', distrusted: null },
    },
    h3Hosts: roots.map((root) => at(root.host)),
    acceptedKeys: [],
    connectTo: [],
    block: [],
  };
}
