import { factorsSetIn, type AnyFactor, type FactorName } from '../../src/core/factors/registry.ts';
import { isAppliedBy, unableReason, type AppliedBy, type ValuesFor } from '../../src/core/factors/values.ts';
import type { Handshake, ServerDescription } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { ArmProtocol } from '../../src/core/model/protocol.ts';
import type { OriginAnswer } from './origin-probe.ts';

/** TLS 1.3 cipher suites by the factor's words (RFC 8446, appendix B.4). */
export const cipherSuites = {
  aes128: 'TLS_AES_128_GCM_SHA256',
  aes256: 'TLS_AES_256_GCM_SHA384',
  chacha20: 'TLS_CHACHA20_POLY1305_SHA256',
} as const;

/** What factors say of the sender; what is absent stays as the server has it. */
export type SenderSettings = ValuesFor<'sender' | 'server'>;

/** Factors that senders or servers must apply. */
export type ServerFactorName = AppliedBy<'sender' | 'server'>;

/** What is done around every server program: its TCP's socket, where its files lie, and what its certificates are. */
const kit: Pick<FactorApplier, 'applies'> = {
  applies: ['congestion', 'pacing', 'storage', 'certificate', 'keytype', 'coalescing'],
};

/** Everything that a server applies. */
export function factorsAppliedBy({ applies }: FactorApplier): readonly ServerFactorName[] {
  return [...kit.applies, ...applies];
}

interface FactorApplier {
  readonly id: string;
  readonly applies: readonly ServerFactorName[];
  readonly lacks?: Readonly<Partial<Record<FactorName, string>>>;
}

/** Why a server cannot have a factor, in words. */
export function serverUnableReason(factor: AnyFactor, { id, lacks = {} }: FactorApplier): string {
  const own = lacks[factor.id];
  return own === undefined ? unableReason(factor, id) : `${id} ${own}`;
}

/** @throws H2h3Error `unsupported` where the server does not apply what it is asked for */
export function requireApplied(settings: SenderSettings, server: FactorApplier): void {
  const applied: readonly string[] = factorsAppliedBy(server);
  for (const factor of factorsSetIn(settings))
    if (isAppliedBy(factor, ['sender', 'server']) && !applied.includes(factor.id))
      throw new H2h3Error('unsupported', serverUnableReason(factor, server));
}

/** @throws H2h3Error `unsupported` for what is asked of a sender and means nothing over what its client speaks */
export function requireBoundProtocols(settings: SenderSettings, protocol: ArmProtocol): void {
  for (const { boundTo } of factorsSetIn(settings))
    if (boundTo?.protocols.includes(protocol) === false) throw new H2h3Error('unsupported', boundTo.why);
}

/**
 * What a sender does of what was asked, as a connection to it shows.
 *
 * @throws H2h3Error `unsupported` where it does otherwise
 */
export function settingsSeen(
  settings: SenderSettings,
  answer: Pick<OriginAnswer, 'cipher' | 'tlsVersion' | 'tcpPaced' | 'chain' | 'inspected'>,
): Pick<
  ServerDescription,
  'cipher' | 'tls' | 'tcpPacing' | 'quicInitialWindowPackets' | 'quicSendWindowBytes' | 'handshake'
> {
  const { cipher, tls, pacing, initialwindow, sendwindow } = settings;
  const wanted = cipher === undefined ? undefined : cipherSuites[cipher];
  if (wanted !== undefined && answer.cipher !== wanted)
    throw new H2h3Error('unsupported', `the server does not keep to ${wanted}`, {
      context: { expected: wanted, got: answer.cipher ?? 'nothing' },
    });
  if (tls !== undefined && answer.tlsVersion !== `TLSv${tls}`)
    throw new H2h3Error('unsupported', `the server does not keep to TLS ${tls}`, {
      context: { expected: `TLSv${tls}`, got: answer.tlsVersion ?? 'nothing' },
    });
  if (pacing !== undefined && answer.tcpPaced !== true)
    throw new H2h3Error('unsupported', 'the pacing of this server’s TCP cannot be switched on', {
      context: {
        expected: 'a connection that is paced',
        got: answer.tcpPaced === null ? 'no ss (iproute2)' : 'none',
      },
    });
  return {
    handshake: handshakeSeen(settings, answer),
    ...(wanted === undefined ? {} : { cipher: wanted }),
    ...(tls === undefined ? {} : { tls }),
    ...(pacing === undefined ? {} : { tcpPacing: pacing }),
    ...(initialwindow === undefined ? {} : { quicInitialWindowPackets: initialwindow.packets }),
    ...(sendwindow === undefined ? {} : { quicSendWindowBytes: sendwindow.bytes }),
  };
}

/**
 * Of a server that was told to obey priorities, or not to, what it says of itself must agree.
 *
 * @param said the protocols over which it says that it obeys; undefined: it says nothing
 * @throws H2h3Error `unsupported`
 */
export function requirePriorities(
  priorities: SenderSettings['priorities'],
  said: readonly string[] | undefined,
): void {
  if (priorities !== 'on' && priorities !== 'off') return;
  const expected = priorities === 'on' ? ['h2', 'h3'] : [];
  if (said?.toSorted().join() === expected.join()) return;
  throw new H2h3Error('unsupported', `the server does not keep to priorities=${priorities}`, {
    context: {
      expected: `priorities over ${expected.join(' and ') || 'no protocol'}`,
      got: said === undefined ? 'nothing' : said.join(' and ') || 'none',
    },
  });
}

/** Signatures of ECDSA vary in length by a byte or two. */
const chainSlackBytes = 4;
/** The groups by the factor's words. */
export const keyExchanges = { x25519: 'X25519', mlkem: 'X25519MLKEM768' } as const;

/** @throws H2h3Error `unsupported` where the server shakes hands otherwise than asked */
function handshakeSeen(
  { certificate, keytype, keyexchange, certificatecompression }: SenderSettings,
  { chain, inspected }: Pick<OriginAnswer, 'chain' | 'inspected'>,
): Handshake {
  const { bytes = null, names = null, keyType = null } = chain ?? {};
  const { compression } = inspected;
  const wantedBytes = certificate?.bytes ?? bytes;
  if (bytes === null ? certificate !== undefined : Math.abs(bytes - (wantedBytes ?? 0)) > chainSlackBytes)
    throw otherwise('certificate', `${wantedBytes} bytes`, bytes);
  if (keytype !== undefined && keyType !== keytype) throw otherwise('keytype', keytype, keyType);
  for (const group of [inspected.tcpKeyExchange, inspected.quicKeyExchange])
    if (keyexchange !== undefined && group !== keyExchanges[keyexchange])
      throw otherwise('keyexchange', keyExchanges[keyexchange], group);
  const isCompressed = compression === null ? null : compression !== 'none';
  if (certificatecompression !== undefined && isCompressed !== (certificatecompression === 'on'))
    throw otherwise('certificatecompression', certificatecompression, compression);
  return { chainBytes: bytes, names, keyType, ...inspected };
}

/**
 * Each host's certificate must be as `coalescing` says: for all hosts of its page, or for that host alone.
 *
 * @param pages hosts of each page
 * @throws H2h3Error `unsupported` naming the first host whose certificate is for others
 */
export function requireCoalescing(
  coalescing: SenderSettings['coalescing'],
  pages: readonly (readonly string[])[],
  certificates: OriginAnswer['certificates'],
): void {
  if (coalescing === undefined) return;
  for (const hosts of pages)
    for (const host of hosts) {
      const { names = null } = certificates.find((one) => one.host === host) ?? {};
      const expected = coalescing === 'on' ? hosts : [host];
      if (names !== null && sameNames(names, expected)) continue;
      throw otherwise('coalescing', `a certificate of ${host} for ${listed(expected)}`, listed(names ?? []));
    }
}

/** Names of hosts have no case. */
function sameNames(names: readonly string[], hosts: readonly string[]): boolean {
  const wanted = new Set(hosts.map((host) => host.toLowerCase()));
  return names.length === wanted.size && names.every((name) => wanted.has(name.toLowerCase()));
}

const maxListed = 5;

function listed(names: readonly string[]): string {
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  return names.length === 0 ? 'none' : `${names.slice(0, maxListed).join(', ')}${more}`;
}

/**
 * A client that discovers HTTP/3 is told of it for every host, by Alt-Svc and by the HTTPS records of the testbed.
 *
 * @param withoutHttp3 a host that does not speak it; null: each does
 * @throws H2h3Error `unsupported` naming that host
 */
export function requireHttp3(withoutHttp3: string | null): void {
  if (withoutHttp3 === null) return;
  throw new H2h3Error(
    'unsupported',
    `${withoutHttp3} speaks no HTTP/3, and its HTTPS record and Alt-Svc say that it does`,
    { context: { expected: 'an answer over QUIC', got: 'none' } },
  );
}

/**
 * @param lacksHybrid why the program that was found has no X25519MLKEM768; undefined where it has
 * @throws H2h3Error `unsupported` where that group is asked for
 */
export function requireKeyExchange(
  keyexchange: SenderSettings['keyexchange'],
  lacksHybrid: string | undefined,
): void {
  if (keyexchange === 'mlkem' && lacksHybrid !== undefined) throw new H2h3Error('unsupported', lacksHybrid);
}

function otherwise(factor: FactorName, expected: string, got: string | number | null): H2h3Error {
  return new H2h3Error('unsupported', `the server does not keep to ${factor}: ${expected}`, {
    context: { expected, got: String(got ?? 'nothing') },
  });
}
