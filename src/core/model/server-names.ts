import { ownEntry } from './own-entry.ts';

/** Servers and proxies as people write them, by the ids of plans. */
export const serverNames = {
  caddy: 'Caddy',
  envoy: 'Envoy',
  'envoy-h3': 'Envoy (HTTP/3 to the server)',
  go: 'Go',
  haproxy: 'HAProxy',
  nginx: 'nginx',
  ngtcp2: 'ngtcp2',
  tquic: 'TQUIC',
} as const;

/** `nginx@1.30` as `nginx 1.30`; one that is not known stands for itself. */
export function serverName(id: string): string {
  const [software = '', version] = id.split('@');
  const name: string = ownEntry(serverNames, software) ?? software;
  return version === undefined ? name : `${name} ${version}`;
}
