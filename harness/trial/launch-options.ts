import { join } from 'node:path';
import type { AppPage } from '../../src/core/model/app-under-test.ts';
import type { ClientLaunchOptions, ClientLog } from '../clients/client-driver.ts';
import type { LaunchDemand } from '../probes/probe.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { entryUrl, urlAt, workloadHosts } from './workload-address.ts';

/** How the browser of a trial is started. */
export function launchOptions(
  order: TrialOrder,
  { logs, ...demand }: Required<LaunchDemand>,
  profileDir: string,
): ClientLaunchOptions {
  return {
    client: order.client,
    protocol: order.protocol,
    instrumentation: order.instrumentation,
    profileDir,
    spkiHash: order.spkiHash,
    ...(order.authority === undefined ? {} : { authority: order.authority }),
    hosts: order.workload.live?.h3Hosts ?? workloadHosts(order.workload),
    server: order.server,
    ...(order.workload.replay === undefined ? {} : { replay: order.workload.replay }),
    ...(order.workload.live === undefined ? {} : { live: order.workload.live }),
    ...(order.workload.app === undefined ? {} : { app: appOf(order, order.workload.app) }),
    ...(order.access === undefined ? {} : { access: order.access }),
    ...(order.workload.device === undefined ? {} : { device: order.workload.device }),
    headed: order.headed,
    driven: order.workload.journey !== undefined,
    ...(order.startUrl === undefined ? {} : { startUrl: order.startUrl }),
    factors: order.factors,
    ...(order.workload.requests === undefined
      ? {}
      : { requests: requestsOf(order, order.workload.requests) }),
    mediaBufferMegabytes: order.workload.mediaBufferMegabytes,
    ...(logs.length === 0 ? {} : { logs: logFiles(logs, profileDir) }),
    ...demand,
  };
}

function appOf(
  { workload, server }: TrialOrder,
  { block, thirdParties }: AppPage,
): NonNullable<ClientLaunchOptions['app']> {
  return { block, thirdParties, url: entryUrl(workload, server?.port ?? null) };
}

/** Next to the profile, which the client itself may fill or compare with others. */
export function logsFolder(profileDir: string): string {
  return `${profileDir}-logs`;
}

function logFiles(logs: readonly ClientLog[], profileDir: string): Partial<Record<ClientLog, string>> {
  return Object.fromEntries(logs.map((log) => [log, join(logsFolder(profileDir), log)]));
}

/** The client gives up so long before the trial would be given up, so that it says what came (ms). */
const ownLimitMarginMs = 250;

function requestsOf(
  { workload, server }: TrialOrder,
  requests: NonNullable<TrialOrder['workload']['requests']>,
): NonNullable<ClientLaunchOptions['requests']> {
  const body = requests.find((request) => request.body !== undefined)?.body;
  return {
    urls: requests.map((entry) => urlAt(entry, server?.port ?? null)),
    ...(body === undefined ? {} : { body }),
    bodyBytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
    limitMs: Math.max(ownLimitMarginMs, workload.deadlineMs - ownLimitMarginMs),
  };
}
