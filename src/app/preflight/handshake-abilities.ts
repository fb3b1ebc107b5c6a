import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { proxyNamed } from '../../../harness/proxies/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import { valuesOf } from '../../core/factors/values.ts';
import { familyOf } from './client-family.ts';
import { trialCheck, type TrialRefusal } from './trial-check.ts';

/** quic-go takes at most 16 KiB of a handshake, of which signature, parameters and heads need some. */
const maxChainBytes: Readonly<Record<string, number>> = { 'quic-go': 15_500 };

/** A chain that a client refuses over QUIC, whatever the server. */
export const chainLengths = trialCheck('chain-lengths', [], ({ factors, client }) => {
  const { certificate, protocol } = valuesOf(factors);
  const known = commandClientNamed(client);
  const maxBytes = maxChainBytes[known?.id ?? ''];
  if (certificate === undefined || maxBytes === undefined || certificate.bytes <= maxBytes) return undefined;
  if (protocol === 'h1' || protocol === 'h2') return undefined;
  return {
    reason: `${known?.title} refuses certificate chains of ${factors.certificate} over HTTP/3: it takes at most 16 kB of a handshake`,
    next: `Take certificate=9kb or less, or another client.`,
  };
});

/** Clients that cannot do what a factor of the handshake asks of both ends. */
const noHybrid: readonly string[] = ['aioquic', 'wget2'];

/** Both ends must have the group, a server in the version that is named. */
export const keyExchanges = trialCheck('key-exchanges', [], ({ factors, client, server }) => {
  if (factors.keyexchange !== 'mlkem') return undefined;
  const known = commandClientNamed(client);
  if (known !== undefined && noHybrid.includes(known.id))
    return {
      reason: `${known.title} has no X25519MLKEM768 (keyexchange=mlkem)`,
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

/** What each end takes of the ways to compress certificates; of a server what its switch switches. */
const clientWays: Readonly<Record<string, readonly string[]>> = {
  chromium: ['brotli'],
  firefox: ['zlib', 'brotli', 'zstd'],
  curl: ['zlib', 'zstd'],
};
const serverWays: Readonly<Record<string, readonly string[]>> = {
  nginx: ['zlib', 'zstd'],
  envoy: ['brotli'],
};

/** Certificates are compressed only where both ends have a way in common, and off where the one that has it can be told. */
export const certificateCompression = trialCheck(
  'certificate-compression',
  ['clients'],
  ({ factors, client, server }, { clients }) => {
    const { certificatecompression: wanted } = factors;
    if (wanted === undefined) return undefined;
    const family = familyOf(client, clients);
    const [proxy] = valuesOf(factors).proxy ?? [];
    const front = (proxy ?? server).split('@')[0] ?? '';
    const { name = front } = (proxy === undefined ? serverNamed(server) : proxyNamed(proxy)) ?? {};
    const ofClient = clientWays[family ?? ''] ?? [];
    const ofServer = serverWays[front.replace(/-h3$/, '')] ?? [];
    if (wanted === 'on') return lackingWay(client, ofClient, name, ofServer);
    // Envoy's QUIC compresses by zlib unasked, which nothing but the client switches off.
    return front.startsWith('envoy') && ofClient.includes('zlib') && family !== 'firefox'
      ? {
          reason: `Envoy compresses certificates by zlib for ${client} over QUIC: it has no switch for that`,
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
