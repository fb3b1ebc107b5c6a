import { defineFactor } from './factor.ts';
import { inWords, oneOf } from './forms.ts';

/** More than any round trip, which a first request comes after the server's side of a handshake. */
const endsIdleAfterMs = 1000;

/** The measured connection takes up the session of one before it; `0rtt`: and its request goes out with the first packet. */
export const resume = defineFactor({
  id: 'resume',
  title: 'a session resumed by',
  example: '0rtt, session',
  unsetLabel: 'a first connection',
  words: (text) => (text === '0rtt' ? 'early data (0-RTT)' : 'a resumed session'),
  form: inWords(
    'session (a ticket of a connection before), or 0rtt (and the request as early data)',
    oneOf('session', '0rtt'),
  ),
  honouredBy: ['client'],
  // A browser connects again only when the server has ended its connection.
  hints: { sender: (value: '0rtt' | 'session') => ({ endsIdleAfterMs, earlyData: value === '0rtt' }) },
  setBy: 'a ticket of a connection before; early data on or off',
  provenBy: 'both requests in the server’s log',
  readBack: 'serverLog.earlyData',
});
