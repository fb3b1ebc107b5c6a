import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** The kind of key that the certificates have and the handshake is signed with. */
export const keytype = defineFactor({
  id: 'keytype',
  title: 'certificate keys of',
  example: 'ecdsa, rsa',
  unsetLabel: 'certificate keys of ECDSA',
  words: (text) => (text === 'rsa' ? 'RSA certificates' : 'ECDSA certificates'),
  form: oneOf('ecdsa', 'rsa'),
  honouredBy: ['sender'],
  setBy: 'leaves with keys of ECDSA P-256 or RSA 2048',
  provenBy: 'a handshake',
  readBack: 'testbed.server.handshake.keyType',
});
