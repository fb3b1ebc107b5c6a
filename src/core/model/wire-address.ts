/** A request as it stands on the wire, and so in a server's log. */
export interface WireAddress {
  /** Lower case, without port. */
  readonly host: string;
  /** Path and query byte for byte, without fragment: `URL` keeps no sign of a query that is empty. */
  readonly path: string;
}

/** How a browser asks for an address of `http:` or `https:` (https://url.spec.whatwg.org/#url-serializing). @throws TypeError for no address */
export function wireAddressOf(address: string | URL): WireAddress {
  const { href, hostname } = new URL(address);
  // The serialized form has a slash after host and port, and none before it but the two of the scheme.
  const afterScheme = href.indexOf('//') + 2;
  return { host: hostname, path: href.slice(href.indexOf('/', afterScheme)).replace(/#.*$/s, '') };
}

/** The host of a `Host` header or a log entry, likewise. */
export function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Host and path in one, to look a request up by. */
export function wireKeyOf(address: string | URL): string {
  const { host, path } = wireAddressOf(address);
  return host + path;
}

/** An IP address as it stands before a port: one of IPv6 in brackets (RFC 3986, 3.2.2). */
export function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** IP address and port as one word. */
export function endpoint({ address, port }: { readonly address: string; readonly port: number }): string {
  return `${bracketed(address)}:${port}`;
}
