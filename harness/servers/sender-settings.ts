import type { ServerDescription } from '../../src/model/environment.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import type { OriginAnswer } from './origin-probe.ts';

/** TLS 1.3 cipher suites by the factor's words (RFC 8446, appendix B.4). */
export const cipherSuites = {
  aes128: 'TLS_AES_128_GCM_SHA256',
  aes256: 'TLS_AES_256_GCM_SHA384',
  chacha20: 'TLS_CHACHA20_POLY1305_SHA256',
} as const;
export type CipherName = keyof typeof cipherSuites;

/** Where the files of an origin lie. */
export type Storage = 'tmpfs' | 'disk';

/** What a trial may set of whoever sends; what is absent stays as the server has it. */
export interface SenderSettings {
  /** The only cipher suite that it may use. */
  readonly cipher?: CipherName;
  /** The newest version of TLS over TCP; QUIC has 1.3 in it. */
  readonly tls?: '1.2';
  /** That its TCP spaces packets out over the round trip whatever its algorithm. */
  readonly pacing?: 'on';
  readonly storage?: Storage;
  /** That it ends connections which nobody has used for so long, ms: a browser then has to connect again. */
  readonly idleMs?: number;
}

/** Why a server cannot be told its cipher suite. */
export const noCipher = ({ id }: { readonly id: string }): string =>
  `${id} has no switch for the cipher suites of TLS 1.3`;

/** Why an arm that may be over HTTP/3 cannot have an older TLS. */
export const noOlderTls = 'QUIC has TLS 1.3 in it and no other';

/** Why an arm over HTTP/3 cannot ask for pacing. */
export const noQuicPacing = 'QUIC paces as its implementation does: no server here has a switch for it';

/**
 * What a sender does of what was asked, as a connection to it shows.
 *
 * @throws H2h3Error `unsupported` where it does otherwise
 */
export function settingsSeen(
  { cipher, tls, pacing }: SenderSettings,
  answer: Pick<OriginAnswer, 'cipher' | 'tlsVersion' | 'tcpPaced'>,
): Pick<ServerDescription, 'cipher' | 'tls' | 'tcpPacing'> {
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
    ...(wanted === undefined ? {} : { cipher: wanted }),
    ...(tls === undefined ? {} : { tls }),
    ...(pacing === undefined ? {} : { tcpPacing: pacing }),
  };
}
