import { defineFactor } from './factor.ts';
import { inWords, oneOf } from './forms.ts';

/** The newest version of TLS over TCP. */
export const tls = defineFactor({
  id: 'tls',
  title: 'TLS',
  example: '1.2',
  unsetLabel: 'TLS 1.3',
  form: inWords('1.2 (left out: 1.3)', oneOf('1.2')),
  honouredBy: ['sender'],
  unable: 'has no switch for the version of TLS',
  boundTo: { protocols: ['h1', 'h2'], why: 'QUIC has TLS 1.3 in it and no other' },
  setBy: 'the server’s configuration: TLS 1.2 at most',
  provenBy: 'a handshake',
  readBack: 'testbed.server.tls',
});
