import { factorsSetIn } from '../../factors/registry.ts';
import { trialCheck } from './trial-check.ts';

/** Some things mean nothing over every protocol. */
export const factorProtocols = trialCheck('factor-protocols', [], ({ factors }) => {
  const { protocol = 'auto', tls, cipher } = factors;
  if (tls !== undefined && cipher !== undefined)
    return {
      reason: 'cipher names a suite of TLS 1.3, and tls=1.2 has none of them',
      next: 'Set one of them.',
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
