import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** The only group for the exchange of keys: the elliptic curve alone, or with ML-KEM, which withstands quantum computers. */
export const keyexchange = defineFactor({
  id: 'keyexchange',
  title: 'key exchange by',
  example: 'x25519, mlkem',
  whenOpen: 'the key exchange that both ends prefer',
  words: (text) => (text === 'mlkem' ? 'X25519MLKEM768' : 'X25519'),
  form: oneOf('x25519', 'mlkem'),
  honouredBy: ['sender'],
  // Firefox and curl can be told to offer the curve alone, which makes their first flight one packet.
  hints: { client: (value: 'x25519' | 'mlkem') => value },
  unable: 'has no switch for the key exchange over QUIC',
  setBy: 'the configuration of Caddy, nginx and HAProxy; Firefox and curl then offer X25519 alone',
  provenBy: 'read back from handshakes over TCP and QUIC; nginx logs it for each request',
  readBack: 'testbed.server.handshake.quicKeyExchange',
});
