import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** Whether one certificate covers all hosts of a page, so that a browser may use one connection for them. */
export const coalescing = defineFactor({
  id: 'coalescing',
  title: 'coalescing of hosts',
  example: 'off, on',
  unsetLabel: 'a certificate for each host',
  form: oneOf('off', 'on'),
  honouredBy: ['sender', 'client'],
  // Firefox wants the names in the hosts file of a namespace.
  needsOwnLink: true,
  setBy: 'one certificate for all hosts of a page, or one each',
  provenBy: 'names in a handshake with every host; connections in the server’s log',
  readBack: 'testbed.server.handshake.names',
});
