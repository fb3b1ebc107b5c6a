/** Runs in Firefox's parent process, with the browser's own privileges. */

interface Uri {
  readonly host: string;
  readonly hostPort: string;
}
interface ProxyFilter {
  applyFilter(uri: Uri, proxy: unknown, callback: { onProxyFilterResult(proxy: unknown): void }): void;
}
interface ProxyService {
  registerFilter(filter: ProxyFilter, position: number): void;
  newProxyInfo(
    type: string,
    host: string,
    port: number,
    authentication: string,
    isolation: string,
    flags: number,
    timeoutSeconds: number,
    failover: null,
  ): unknown;
}
declare const Cc: Readonly<Record<string, { getService(iid: unknown): ProxyService } | undefined>>;
declare const Ci: Readonly<Record<string, unknown>>;

/** tcpmux: no server listens there. */
const deadPort = 1;

/**
 * Sends everything that goes to another host than these to a proxy that there is not: pages, beacons, web sockets and
 * connections made beforehand alike, to addresses as to names. Names would lead to the replay's server, but addresses
 * are asked without a look at any name, the machine's own loopback among them.
 *
 * @param nameService address and port at which Firefox asks for names, the only place that needs no name; null where it asks nowhere
 */
export function containPage(hosts: readonly string[], nameService: string | null): string {
  const allowed = new Set(hosts.map((host) => host.replace(/:\d+$/, '').toLowerCase()));
  const service = Cc['@mozilla.org/network/protocol-proxy-service;1']?.getService(
    Ci['nsIProtocolProxyService'],
  );
  if (service === undefined) throw new Error('Firefox has no proxy service');
  const nowhere = service.newProxyInfo('http', '127.0.0.1', deadPort, '', '', 0, 1, null);
  service.registerFilter(
    {
      applyFilter: (uri, proxy, callback) =>
        callback.onProxyFilterResult(
          allowed.has(partOf(uri, 'host')) || partOf(uri, 'hostPort') === nameService ? proxy : nowhere,
        ),
    },
    0,
  );
  return 'contained';
}

/** Some kinds of addresses have no host, and lead nowhere. */
function partOf(uri: Uri, part: 'host' | 'hostPort'): string {
  try {
    return uri[part].toLowerCase();
  } catch {
    return '';
  }
}
