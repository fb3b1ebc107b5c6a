import { defineFactor } from './factor.ts';
import { inWords, oneOf } from './forms.ts';

/** That the kernel spaces out the packets of a sender's TCP, whatever its algorithm. */
export const pacing = defineFactor({
  id: 'pacing',
  title: 'pacing of TCP',
  example: 'on',
  unsetLabel: 'pacing as the congestion control has it',
  form: inWords('on (left out: as the congestion control has it)', oneOf('on')),
  honouredBy: ['sender'],
  boundTo: {
    protocols: ['h1', 'h2'],
    why: 'QUIC paces as its implementation does, and none of its switches is set here',
  },
  setBy: '`SO_MAX_PACING_RATE` of the server’s TCP',
  provenBy: 'a connection',
  readBack: 'testbed.server.tcpPacing',
});
