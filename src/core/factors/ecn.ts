import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

type Ecn = 'on' | 'off';

/** Explicit Congestion Notification (RFC 3168): whether the ends use it, and the queue marks what it can. */
export const ecn = defineFactor({
  id: 'ecn',
  title: 'ECN',
  example: 'on, off',
  unsetLabel: 'ECN as each stack has it, and a queue that does not mark',
  form: oneOf('on', 'off'),
  honouredBy: ['link'],
  hints: { client: (state: Ecn) => state, sender: (state: Ecn) => state },
  setBy: '`tcp_ecn` at both ends; Caddy, Go and Firefox; a queue that marks',
  provenBy: '`tcp_ecn`; the ECN field of every packet on the link',
  readBack: 'testbed.links.ecn',
});
