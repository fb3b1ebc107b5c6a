import { defineFactor } from './factor.ts';
import { inWords, oneOf, sizeIn, wholeNumberIn } from './forms.ts';

/** The newest version of TLS over TCP. */
export const tls = defineFactor({
  id: 'tls',
  title: 'TLS',
  example: '1.2',
  unsetLabel: 'TLS 1.3',
  form: inWords('1.2 (left out: 1.3)', oneOf('1.2')),
  appliedBy: ['sender'],
  unable: 'has no switch for the version of TLS',
  boundTo: { protocols: ['h1', 'h2'], why: 'QUIC has TLS 1.3 in it and no other' },
  setBy: 'the server’s configuration: TLS 1.2 at most',
  provenBy: 'a handshake',
  readBack: 'testbed.server.tls',
});

/** The only cipher suite of TLS 1.3 that a sender may use. */
export const cipher = defineFactor({
  id: 'cipher',
  title: 'cipher',
  example: 'aes128, aes256, chacha20',
  unsetLabel: 'the cipher that both ends prefer',
  form: oneOf('aes128', 'aes256', 'chacha20'),
  appliedBy: ['sender'],
  unable: 'has no switch for the cipher suites of TLS 1.3',
  setBy: 'configuration of nginx and HAProxy',
  provenBy: 'a handshake; the server’s log of each request',
  readBack: 'testbed.server.cipher',
});

/** Below it a key of RSA, a signature and a name have no room; above it clients refuse chains. */
const minChainBytes = 1000;

const maxChainBytes = 40 * 1024;

const chainSizes = ['1kb', '4kb', '9kb', '16kb', '22kb'];

function chainBytesIn(text: string): number | undefined {
  if (chainSizes.includes(text)) return sizeIn(text, 1024);
  const bytes = wholeNumberIn(text, 'b');
  return bytes !== undefined && bytes >= minChainBytes && bytes <= maxChainBytes ? bytes : undefined;
}

/** How long the certificate chain of each host is, in DER. */
export const certificate = defineFactor({
  id: 'certificate',
  title: 'a certificate chain of',
  example: '1kb, 4kb, 9kb, 16kb, 22kb',
  unsetLabel: 'a certificate chain of 0.5 kB',
  form: {
    words: `${chainSizes.join(', ')} (1 kb is 1024 bytes), or a number of bytes from ${minChainBytes} to ${maxChainBytes} such as 5113b`,
    read: (text) => {
      const bytes = chainBytesIn(text);
      return bytes === undefined ? undefined : { bytes };
    },
    write: ({ bytes }: { readonly bytes: number }) =>
      chainSizes.find((size) => sizeIn(size, 1024) === bytes) ?? `${bytes}b`,
  },
  appliedBy: ['sender'],
  setBy: 'random bytes that make its leaves that long',
  provenBy: 'a handshake',
  readBack: 'testbed.server.handshake.chainBytes',
});

/** Whether the certificate chain goes out compressed (RFC 8879), where both ends can. */
export const certificatecompression = defineFactor({
  id: 'certificatecompression',
  title: 'compression of certificates',
  example: 'on, off',
  unsetLabel: 'compression of certificates as both ends have it',
  form: oneOf('on', 'off'),
  appliedBy: ['sender'],
  // Firefox can be told to offer none.
  hints: { client: (value: 'on' | 'off') => value },
  unable: 'has no switch for the compression of certificates',
  setBy: 'nginx from 1.29.1 on, Envoy; what Firefox offers',
  provenBy: 'a handshake over TCP',
  readBack: 'testbed.server.handshake.compression',
});

/** The kind of key that the certificates have and the handshake is signed with. */
export const keytype = defineFactor({
  id: 'keytype',
  title: 'certificate keys of',
  example: 'ecdsa, rsa',
  unsetLabel: 'certificate keys of ECDSA',
  words: (text) => (text === 'rsa' ? 'RSA certificates' : 'ECDSA certificates'),
  form: oneOf('ecdsa', 'rsa'),
  appliedBy: ['sender'],
  setBy: 'leaves with keys of ECDSA P-256 or RSA 2048',
  provenBy: 'a handshake',
  readBack: 'testbed.server.handshake.keyType',
});

/** The only group for the exchange of keys: the elliptic curve alone, or with ML-KEM, which withstands quantum computers. */
export const keyexchange = defineFactor({
  id: 'keyexchange',
  title: 'key exchange by',
  example: 'x25519, mlkem',
  unsetLabel: 'the key exchange that both ends prefer',
  words: (text) => (text === 'mlkem' ? 'X25519MLKEM768' : 'X25519'),
  form: oneOf('x25519', 'mlkem'),
  appliedBy: ['sender'],
  // Firefox and curl can be told to offer the curve alone, which makes their first flight one packet.
  hints: { client: (value: 'x25519' | 'mlkem') => value },
  unable: 'has no switch for the key exchange over QUIC',
  setBy: 'Caddy, nginx, HAProxy; what Firefox and curl offer',
  provenBy: 'handshakes over TCP and QUIC',
  readBack: 'testbed.server.handshake.quicKeyExchange',
});
