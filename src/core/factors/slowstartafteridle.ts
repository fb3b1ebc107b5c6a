import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** Whether TCP begins anew with its initial window when a connection has rested for longer than its timeout (RFC 5681, section 4.1). */
export const slowstartafteridle = defineFactor({
  id: 'slowstartafteridle',
  title: 'slow start after idle',
  example: 'off, on',
  unsetLabel: 'slow start after idle as the kernel has it',
  words: (text) => (text === 'off' ? 'no slow start after idle' : 'slow start after idle'),
  form: oneOf('off', 'on'),
  honouredBy: ['link'],
  boundTo: {
    protocols: ['h1', 'h2'],
    why: 'QUIC keeps or shrinks its window after idle time as its implementation does, and none of its switches is set here',
  },
  setBy: '`tcp_slow_start_after_idle` at both ends',
  provenBy: 'read back there',
  readBack: 'testbed.links.slowStartAfterIdle',
});
