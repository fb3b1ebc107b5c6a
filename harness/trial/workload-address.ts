import { H2h3Error } from '../../src/core/model/errors.ts';
import type { PreparedWorkload } from '../../src/core/model/workload.ts';

const defaultPort = 443;

/** Where the browser goes. `port` is the server's; null for live addresses, which bring their own. */
export function entryUrl(workload: PreparedWorkload, port: number | null): string {
  const { entry } = workload;
  if ('url' in entry) return entry.url;
  return urlAt(entry, port);
}

/** A place on a server of ours. @param port the server's */
export function urlAt(
  { host, path }: { readonly host: string; readonly path: string },
  port: number | null,
): string {
  if (port === null) throw new H2h3Error('internal', `${host}${path} needs a server and got none`);
  return `https://${host}${port === defaultPort ? '' : `:${port}`}${path}`;
}

/** Every name that the workload's server answers for; of a live address its own host, with the port if it names one. */
export function workloadHosts(workload: PreparedWorkload): string[] {
  const hosts = workload.roots.map((root) => root.host);
  hosts.push('host' in workload.entry ? workload.entry.host : new URL(workload.entry.url).host);
  return [...new Set(hosts)];
}
