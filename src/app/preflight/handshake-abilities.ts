import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { stackOf } from './client-family.ts';
import { frontOf } from './front.ts';
import { trialCheck, type TrialRefusal } from './trial-check.ts';

/** A chain that a client refuses over QUIC, whatever the server. */
export const chainLengths = trialCheck('chain-lengths', [], ({ factors, client }) => {
  const { certificate, protocol } = valuesOf(factors);
  const { title, stack } = commandClientNamed(client) ?? {};
  const maxBytes = stack?.maxChainBytes;
  if (certificate === undefined || maxBytes === undefined || certificate.bytes <= maxBytes) return undefined;
  if (protocol === 'h1' || protocol === 'h2') return undefined;
  return {
    reason: `${title} refuses certificate chains of ${factors.certificate} over HTTP/3: it takes at most 16 kB of a handshake`,
    next: `Take certificate=9kb or less, or another client.`,
  };
});

/** Both ends must have the group, a server in the version that is named. */
export const keyExchanges = trialCheck('key-exchanges', [], ({ factors, client, server }) => {
  if (factors.keyexchange !== 'mlkem') return undefined;
  const { title, stack } = commandClientNamed(client) ?? {};
  if (stack?.lacksHybrid === true)
    return {
      reason: `${title} has no X25519MLKEM768 (keyexchange=mlkem)`,
      next: 'Take keyexchange=x25519, or a browser.',
    };
  const { lacksHybrid } = serverNamed(server) ?? {};
  return lacksHybrid === undefined
    ? undefined
    : {
        reason: `${lacksHybrid} (keyexchange=mlkem)`,
        next: 'Name a newer version, or take keyexchange=x25519.',
      };
});

/** Certificates are compressed only where both ends have a way in common, and off where the one that has it can be told. */
export const certificateCompression = trialCheck(
  'certificate-compression',
  ['clients'],
  (trial, { clients }) => {
    const { certificatecompression: wanted } = trial.factors;
    if (wanted === undefined) return undefined;
    const { client } = trial;
    const { certificateCompressions: ofClient = [], refusesCompression } = stackOf(client, clients);
    const { name, certificateCompressions: ofServer = [], compressesUnasked } = frontOf(trial);
    if (wanted === 'on') return lackingWay(client, ofClient, name, ofServer);
    if (compressesUnasked === undefined || refusesCompression === true) return undefined;
    return ofClient.includes(compressesUnasked)
      ? {
          reason: `${name} compresses certificates by ${compressesUnasked} for ${client} over QUIC: it has no switch for that`,
          next: 'Take a server such as nginx@1.30, or a browser.',
        }
      : undefined;
  },
);

function lackingWay(
  client: string,
  ofClient: readonly string[],
  server: string,
  ofServer: readonly string[],
): TrialRefusal | undefined {
  if (ofClient.some((way) => ofServer.includes(way))) return undefined;
  const words = (ways: readonly string[]): string => (ways.length === 0 ? 'none' : ways.join(', '));
  return {
    reason: `${client} and ${server} have no way to compress certificates in common: ${words(ofClient)} against ${words(ofServer)}`,
    next: 'Firefox and curl have one with nginx@1.30, Chromium and Firefox with envoy.',
  };
}
