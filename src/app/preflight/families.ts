import { othersBlocked, othersLive, type AppOptions } from '../../core/model/app-under-test.ts';
import type { Family } from '../../core/factors/families.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { liveNetwork, liveServer } from '../../core/model/live-address.ts';
import { trialCheck, type TrialRefusal } from './trial-check.ts';

/** Addresses of IPv6 are the testbed's own, and what is set of them needs a client that may use them. */
export const families = trialCheck('families', [], ({ factors, server, network }, _, { app }) => {
  const {
    family,
    ipv6,
    aaaa,
    discovery = 'forced',
    resolver,
    'https-answer': httpsAnswer,
  } = valuesOf(factors);
  if (family !== undefined && server === liveServer && (family !== '4' || network === liveNetwork))
    return liveRefusal(family, network);
  const ofOthers = family === undefined ? undefined : othersRefusal(family, app);
  if (ofOthers !== undefined) return ofOthers;

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
  if (resolver !== undefined && family !== 'both' && discovery === 'forced')
    return {
      reason: `resolver=${factors.resolver} loses questions about names, and in this arm no client asks any`,
      next: 'Add discovery=https-record, discovery=alt-svc or family=both.',
    };
  if (httpsAnswer !== undefined && discovery !== 'https-record')
    return {
      reason: `https-answer=${factors['https-answer']} holds back HTTPS records, and in this arm there are none`,
      next: 'Add discovery=https-record.',
    };
  return undefined;
});

/** A live address is reached over IPv4 alone: a machine that forwards IPv6 takes its own routes from no router (`accept_ra`). */
function liveRefusal(family: Family, network: string): TrialRefusal {
  return network === liveNetwork
    ? {
        reason: `family=${family} sets the addresses of a link of ours, and over the machine’s own network there is none`,
        next: 'Name an emulated network and family=4, or record the site.',
      }
    : {
        reason: `family=${family} does not reach a live address: a link of ours leads on over IPv4 alone`,
        next: 'Take family=4, or record the site.',
      };
}

/** What the hosts cannot have that are none of an app's; undefined where there are none. */
function othersRefusal(
  family: Family,
  { thirdParties = othersBlocked }: Partial<AppOptions> = {},
): TrialRefusal | undefined {
  if (thirdParties === othersBlocked || family === '4') return undefined;
  if (thirdParties === othersLive)
    return {
      reason: `family=${family} does not reach other hosts than the app’s: a link of ours leads on to them over IPv4 alone`,
      next: 'Take family=4 or --third-parties blocked.',
    };
  return family === '6'
    ? undefined
    : {
        reason:
          'family=both does not reach recorded third parties: their names lead to ports that no record of DNS changes',
        next: 'Take family=6 or --third-parties blocked.',
      };
}
