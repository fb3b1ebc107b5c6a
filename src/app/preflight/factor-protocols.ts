import { factorsSetIn } from '../../core/factors/registry.ts';
import { trialCheck } from './trial-check.ts';

/** Some things mean nothing over every protocol. */
export const factorProtocols = trialCheck('factor-protocols', [], ({ factors }) => {
  const { protocol = 'auto', tls, cipher, keyexchange, certificatecompression } = factors;
  if (tls !== undefined && cipher !== undefined)
    return {
      reason: 'cipher names a suite of TLS 1.3, and tls=1.2 has none of them',
      next: 'Set one of them.',
    };
  if (tls !== undefined && (keyexchange ?? certificatecompression) !== undefined)
    return {
      reason: 'keyexchange and certificatecompression are of TLS 1.3, and tls=1.2 has neither',
      next: 'Set one of them.',
    };
  if (keyexchange === 'mlkem' && certificatecompression !== undefined)
    return {
      reason: 'certificatecompression cannot be read back where keyexchange=mlkem leaves no other group',
      next: 'Leave keyexchange out: browsers and servers take X25519MLKEM768 unasked.',
    };
  const unbound = factorsSetIn(factors).find(
    ({ boundTo }) => boundTo?.protocols.includes(protocol) === false,
  );
  if (unbound?.boundTo === undefined) return undefined;
  const { why, protocols } = unbound.boundTo;
  return {
    reason: why,
    next: `Arms over ${protocols.toReversed().join(' and ')} can have ${unbound.id}.`,
  };
});
