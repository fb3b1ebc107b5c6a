import { valuesOf } from '../../core/factors/values.ts';
import { liveServer } from '../../core/model/live-address.ts';
import { trialCheck } from './trial-check.ts';

/** Addresses of IPv6 are the testbed's own, and what is set of them needs a client that may use them. */
export const families = trialCheck(
  'families',
  [],
  ({ factors, server, workload }, _, { customSites = [] }) => {
    const { family, ipv6, aaaa, discovery = 'forced', 'https-answer': httpsAnswer } = valuesOf(factors);
    if (family !== undefined && server === liveServer)
      return {
        reason: `family=${family} sets addresses of the testbed, and those of a live address are not its own`,
        next: 'Record the site, or take one of h2h3.',
      };
    if (family === 'both' && customSites.some(({ kind, id }) => kind === 'archive' && id === workload))
      return {
        reason:
          'family=both does not reach a recorded site: its names lead to ports that no record of DNS changes',
        next: 'Take a page or a replica (`npx h2h3 describe sites`), or family=6.',
      };
    if (ipv6 !== undefined && family !== 'both')
      return {
        reason: `ipv6=${factors.ipv6} is about a choice between IPv4 and IPv6, and this arm has none`,
        next: 'Add family=both.',
      };
    if (aaaa !== undefined && family !== 'both' && (family !== '6' || discovery === 'forced'))
      return {
        reason: `aaaa=${factors.aaaa} holds back AAAA records, and in this arm no client asks for them`,
        next: 'Add family=both.',
      };
    if (httpsAnswer !== undefined && discovery !== 'https-record')
      return {
        reason: `https-answer=${factors['https-answer']} holds back HTTPS records, and in this arm there are none`,
        next: 'Add discovery=https-record.',
      };
    return undefined;
  },
);
