import { serverNamed } from '../../../harness/servers/registry.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { familyOf } from './client-family.ts';
import { trialCheck } from './trial-check.ts';

/** Servers by what their QUIC does: sends ECN-capable packets unless told not to, or never does. */
const capable: readonly string[] = ['caddy', 'go'];
const incapable: readonly string[] = ['nginx', 'haproxy', 'envoy'];
/** Families of clients that tell a server over QUIC which packets were marked; of others servers give ECN up. */
const reporting: readonly string[] = ['chromium', 'firefox', 'quic-go'];

/**
 * Both ends must do what the arm says of ECN. Otherwise the queue would mark TCP and drop QUIC, and the comparison of both
 * would be one of ECN.
 */
export const ecnAbilities = trialCheck(
  'ecn-abilities',
  ['clients'],
  ({ factors, client, server }, { clients }) => {
    const { ecn, protocol = 'auto', proxy } = valuesOf(factors);
    if (ecn === undefined || protocol === 'h1' || protocol === 'h2') return undefined;
    const front = (proxy?.[0] ?? server).split('@')[0]?.replace(/-h3$/, '') ?? '';
    const name = serverNamed(front)?.name ?? front;
    if (ecn === 'off')
      return capable.includes(front) || incapable.includes(front)
        ? undefined
        : { reason: `${name} has no switch for ECN over QUIC`, next: 'Take server=caddy or server=nginx.' };
    if (!capable.includes(front))
      return {
        reason: `ecn=on: ${name} sends nothing over QUIC that a queue could mark, and TCP would be marked where QUIC is dropped`,
        next: 'Take server=caddy or server=go, or arms over HTTP/2 alone.',
      };
    if (reporting.includes(familyOf(client, clients) ?? '')) return undefined;
    return {
      reason: `ecn=on: ${client} does not tell a server over QUIC which packets were marked, so the server gives ECN up`,
      next: 'Take Chromium, Firefox or quic-go, or arms over HTTP/2 alone.',
    };
  },
);
