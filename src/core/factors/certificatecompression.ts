import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** Whether the certificate chain goes out compressed (RFC 8879), where both ends can. */
export const certificatecompression = defineFactor({
  id: 'certificatecompression',
  title: 'compression of certificates',
  example: 'on, off',
  unsetLabel: 'compression of certificates as both ends have it',
  form: oneOf('on', 'off'),
  honouredBy: ['sender'],
  // Firefox can be told to offer none.
  hints: { client: (value: 'on' | 'off') => value },
  unable: 'has no switch for the compression of certificates',
  setBy: 'nginx from 1.29.1 on, Envoy; what Firefox offers',
  provenBy: 'a handshake over TCP',
  readBack: 'testbed.server.handshake.compression',
});
