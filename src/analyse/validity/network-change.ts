import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { invalid, type Finding } from './finding.ts';

export const networkChangedText =
  'a network interface or an address of this machine came or went during the trial. Chromium then closes its TCP connections (ERR_NETWORK_CHANGED). Start nothing meanwhile that changes them, or use an emulated network';

/**
 * Chromium closes its TCP connections, not those over QUIC, when an interface or an address of the machine comes or goes
 * (`ERR_NETWORK_CHANGED`; seen in 153 and 156): that is no difference between the protocols, so it is told as what it is.
 */
export function isNetworkChange(error: string | undefined): boolean {
  return error?.includes('ERR_NETWORK_CHANGED') === true;
}

/** Where an object of the page failed by it. A page that was not reached at all leaves none. */
export function networkChangeFindings(objects: readonly NetworkObject[]): readonly Finding[] {
  return objects.some(({ error }) => isNetworkChange(error))
    ? [invalid('network-changed', networkChangedText)]
    : [];
}
