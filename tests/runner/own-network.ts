import { spawnSync } from 'node:child_process';

/** Of the documentation (RFC 5737): it leads nowhere. */
const address = '192.0.2.1/24';

/**
 * The beginning of a command line that gives a program a network of its own; empty where this user can make none.
 *
 * Traffic of other tests over loopback keeps a timed page from coming to rest (`harness/clients/rest-from-outside.ts`): beside
 * them a trial takes three times as long. And no interface comes or goes there, at which Chromium closes its connections.
 * A link with an address has browsers believe that they are online.
 */
export function ownNetwork(): readonly string[] {
  const link = [
    'ip link set lo up',
    'ip link add test-link type veth peer name test-end',
    `ip address add ${address} dev test-link`,
    'ip link set test-link up',
    'ip link set test-end up',
    'exec "$@"',
  ];
  const [program = '', ...words] = ['unshare', '--net', 'sh', '-e', '-c', link.join('; '), 'sh'];
  return spawnSync(program, [...words, 'true']).status === 0 ? [program, ...words] : [];
}
