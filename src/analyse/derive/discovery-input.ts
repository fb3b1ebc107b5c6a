import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { View } from '../../core/model/workload.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import type { DiscoveryInput } from '../../core/metrics/metric-inputs.ts';

const httpsPort = 443;

/** How the client of a trial came to HTTP/3; undefined where its arm does not say. */
export function discoveryInput(
  raw: RawTrial,
  objects: readonly NetworkObject[],
  view: View | undefined,
): DiscoveryInput | undefined {
  if (raw.discovery === undefined) return undefined;
  return { isFirstVisit: view !== 'repeat', unusedConnections: unusedConnections(raw, objects) };
}

/**
 * Connections to the ports of a page's objects whose client's port is in no entry of the server's log. An emulated link knows
 * all of them; elsewhere, where a connection may have ended unseen, nothing is said.
 */
function unusedConnections(
  { linkFlows, serverLog }: RawTrial,
  objects: readonly NetworkObject[],
): number | undefined {
  if (linkFlows === undefined || serverLog === null) return undefined;
  const ports = new Set(objects.map(({ url }) => Number(new URL(url).port) || httpsPort));
  const used = new Set(serverLog.flatMap(({ connection }) => connection ?? []));
  return linkFlows.filter(
    ({ serverPort, clientPort }) => ports.has(serverPort) && !used.has(String(clientPort)),
  ).length;
}
