import { valuesOf } from '../../core/factors/values.ts';
import { stackOf } from './client-family.ts';
import { frontOf } from './front.ts';
import { trialCheck } from './trial-check.ts';

/**
 * Both ends must do what the arm says of ECN. Otherwise the queue would mark TCP and drop QUIC, and the comparison of both
 * would be one of ECN.
 */
export const ecnAbilities = trialCheck('ecn-abilities', ['clients'], (trial, { clients }) => {
  const { ecn, protocol = 'auto' } = valuesOf(trial.factors);
  if (ecn === undefined || protocol === 'h1' || protocol === 'h2') return undefined;
  const { name, ecnOverQuic } = frontOf(trial);
  if (ecn === 'off')
    return ecnOverQuic === undefined
      ? { reason: `${name} has no switch for ECN over QUIC`, next: 'Take server=caddy or server=nginx.' }
      : undefined;
  if (ecnOverQuic !== 'unless-off')
    return {
      reason: `ecn=on: ${name} sends nothing over QUIC that a queue could mark, and TCP would be marked where QUIC is dropped`,
      next: 'Take server=caddy or server=go, or arms over HTTP/2 alone.',
    };
  if (stackOf(trial.client, clients).reportsEcn === true) return undefined;
  return {
    reason: `ecn=on: ${trial.client} does not tell a server over QUIC which packets were marked, so the server gives ECN up`,
    next: 'Take Chromium, Firefox or quic-go, or arms over HTTP/2 alone.',
  };
});
