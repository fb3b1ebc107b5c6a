import { desktop } from '../../src/core/model/device.ts';
import type { AppPage } from '../../src/core/model/app-under-test.ts';
import type { ClientIdentity } from '../clients/client.ts';
import { addedCost, loadOfPage, type AddedCostContext, type Addition } from './added-cost.ts';
import type { BenchRow } from './bench-row.ts';
import type { BenchTrialContext } from './bench-trials.ts';

export interface AskedCostContext extends AddedCostContext {
  /** Settles time and chance for a document, as `--deterministic` does. */
  readonly settlingScript: string;
}

/**
 * What a plan may ask the browser to do while a page loads, in timed trials too: to settle time and chance, to show the page on a
 * device, to leave addresses out, to send headers to the page's own origin.
 */
export function askedCost(
  context: AskedCostContext,
  clients: readonly ClientIdentity[],
): Promise<BenchRow[]> {
  return addedCost(context, clients, {
    group: 'asked of the browser',
    what: 'wish',
    additionsOf: () => Promise.resolve([...ofDocuments(context), ...ofRequests(context)]),
  });
}

function ofDocuments(context: AskedCostContext): Addition[] {
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
  return [
    { name: '--deterministic', workload: { ...workload, replay }, loadMs },
    // Of the usual size: a page on a small screen is another page.
    { name: '--device', workload: { ...workload, device: { ...desktop, name: 'bench' } }, loadMs },
  ];
}

function ofRequests(context: BenchTrialContext): Addition[] {
  const { workload } = context.site;
  const loadMs = loadOfPage;
  const app = appOf(context);
  const access = {
    headers: [{ name: 'x-bench', value: 'asked' }],
    cookies: [],
    state: { cookies: [], origins: [] },
    secrets: [],
  };
  return [
    { name: '--block', workload: { ...workload, app: { ...app, block: ['/ads/'] } }, loadMs },
    { name: '--header', workload: { ...workload, app }, order: { access }, loadMs },
  ];
}

/** The page of the bench as if an app of the user's answered behind our server. */
function appOf({ server, site }: BenchTrialContext): AppPage {
  const { entry } = site.workload;
  const host = 'host' in entry ? entry.host : '';
  const url = `https://${host}:${server.port}/`;
  return {
    url,
    route: { hosts: [{ host, origin: url }], port: server.port },
    block: [],
    thirdParties: 'blocked',
  };
}
