import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { isNetworkChange } from '../../core/model/network-change.ts';
import { invalid, type Finding } from './finding.ts';

export const networkChangedText =
  'a network interface or an address of this machine came or went during the trial. Chromium then closes its TCP connections (ERR_NETWORK_CHANGED). Start nothing meanwhile that changes them, or use an emulated network';

/**
 * Where an object of the page failed because an interface or an address of the machine came or went; a page that was not reached at
 * all leaves none. Chromium then closes its TCP connections, not those over QUIC (seen in 153 and 156): that is no difference between
 * the protocols, so it is told as what it is.
 */
export function networkChangeFindings(objects: readonly NetworkObject[]): readonly Finding[] {
  return objects.some(({ error }) => isNetworkChange(error))
    ? [invalid('network-changed', networkChangedText)]
    : [];
}
