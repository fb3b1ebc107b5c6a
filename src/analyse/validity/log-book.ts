import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import { wireAddressOf, withoutPort } from '../../core/model/wire-address.ts';

/** Whether it is of a web socket, which is no object and stays on TCP in every arm (RFC 6455), or came over CONNECT (RFC 8441). */
export const isSocket = ({ status, method }: Pick<ServerLogEntry, 'status' | 'method'>): boolean =>
  status === 101 || method === 'CONNECT';

/** The server's log of one trial, of which each entry can be taken out once by the request that it belongs to. */
export class LogBook {
  readonly #entriesByRequest = new Map<string, ServerLogEntry[]>();

  /** @param hosts names without port; entries of other hosts are left out. */
  constructor(entries: readonly ServerLogEntry[], hosts: readonly string[]) {
    const wanted = new Set(hosts.map((host) => host.toLowerCase()));
    for (const entry of entries) {
      const host = hostNameOf(entry.host);
      if (!wanted.has(host)) continue;
      const key = requestKey(entry.method, host, entry.path);
      this.#entriesByRequest.set(key, [...(this.#entriesByRequest.get(key) ?? []), entry]);
    }
  }

  /** Takes out an entry of this request, one that `fits` if there is one; undefined when none is left. */
  take(
    request: { readonly method: string; readonly host: string; readonly path: string },
    fits: (entry: ServerLogEntry) => boolean,
  ): ServerLogEntry | undefined {
    const entries = this.#entriesByRequest.get(requestKey(request.method, request.host, request.path)) ?? [];
    const found = entries.findIndex(fits);
    return entries.splice(Math.max(found, 0), 1)[0];
  }

  /** Takes out an entry of each of these requests, which the client gave up: the server may have sent any part of it, or none. */
  takeGivenUp(urls: readonly string[]): void {
    for (const url of urls.flatMap((one) => URL.parse(one) ?? []))
      this.take({ method: 'GET', host: url.hostname, path: wireAddressOf(url).path }, () => true);
  }

  /** What was not taken. */
  get remaining(): readonly ServerLogEntry[] {
    return [...this.#entriesByRequest.values()].flat();
  }
}

/** `host` of a `Host` header without its port. */
function hostNameOf(host: unknown): string {
  return withoutPort(String(host));
}

function requestKey(method: string, host: string, path: string): string {
  return `${method.toUpperCase()} ${host} ${path}`;
}
