import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** The only cipher suite of TLS 1.3 that a sender may use. */
export const cipher = defineFactor({
  id: 'cipher',
  title: 'cipher',
  example: 'aes128, aes256, chacha20',
  unsetLabel: 'the cipher that both ends prefer',
  form: oneOf('aes128', 'aes256', 'chacha20'),
  honouredBy: ['sender'],
  unable: 'has no switch for the cipher suites of TLS 1.3',
  setBy: 'configuration of nginx and HAProxy',
  provenBy: 'a handshake; the server’s log of each request',
  readBack: 'testbed.server.cipher',
});
