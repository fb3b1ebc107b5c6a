import type { BrowserLaunchOptions } from '../clients/browsers/browser.ts';
import type { LaunchDemand } from '../probes/probe.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { workloadHosts } from './workload-address.ts';

/** How the browser of a trial is started. */
export function launchOptions(
  order: TrialOrder,
  demand: Required<LaunchDemand>,
  profileDir: string,
): BrowserLaunchOptions {
  return {
    client: order.client,
    protocol: order.protocol,
    profileDir,
    spkiHash: order.spkiHash,
    hosts: workloadHosts(order.workload),
    server: order.server,
    ...(order.workload.replay === undefined ? {} : { replay: order.workload.replay }),
    headed: order.headed,
    mediaBufferMegabytes: order.workload.mediaBufferMegabytes,
    ...demand,
  };
}
