import { defineFactor } from './factor.ts';
import { namesByHop } from './forms.ts';

/** Of the sender at the far end of each link, from the client on; one is that of all. */
export const congestion = defineFactor({
  id: 'congestion',
  title: 'congestion control',
  example: 'reno, cubic, bbr',
  unsetLabel: 'the usual congestion control',
  form: namesByHop,
  honouredBy: ['sender'],
  setBy: 'the listening socket or the server’s configuration',
  provenBy: 'TCP: a connection; QUIC: what the server offers',
  readBack: 'testbed.server.tcpCongestionControl',
});
