import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** The only group for the exchange of keys: the elliptic curve alone, or with ML-KEM, which withstands quantum computers. */
export const keyexchange = defineFactor({
  id: 'keyexchange',
  title: 'key exchange by',
  example: 'x25519, mlkem',
  unsetLabel: 'the key exchange that both ends prefer',
  words: (text) => (text === 'mlkem' ? 'X25519MLKEM768' : 'X25519'),
  form: oneOf('x25519', 'mlkem'),
  honouredBy: ['sender'],
  // Firefox and curl can be told to offer the curve alone, which makes their first flight one packet.
  hints: { client: (value: 'x25519' | 'mlkem') => value },
  unable: 'has no switch for the key exchange over QUIC',
  setBy: 'Caddy, nginx, HAProxy; what Firefox and curl offer',
  provenBy: 'handshakes over TCP and QUIC',
  readBack: 'testbed.server.handshake.quicKeyExchange',
});
