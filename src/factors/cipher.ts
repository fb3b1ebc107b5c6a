import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** The only cipher suite of TLS 1.3 that a sender may use. */
export const cipher = defineFactor({
  id: 'cipher',
  title: 'cipher',
  example: 'aes128, aes256, chacha20',
  whenOpen: 'the cipher that both ends prefer',
  form: oneOf('aes128', 'aes256', 'chacha20'),
  honouredBy: ['sender'],
  unable: 'has no switch for the cipher suites of TLS 1.3',
  setBy: 'the configuration of nginx and HAProxy: one TLS 1.3 suite',
  provenBy: 'read back from a handshake; each request by the server’s log',
  readBack: 'testbed.server.cipher',
});
