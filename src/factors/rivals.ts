import { defineFactor } from './factor.ts';
import { wholeNumberIn } from './forms.ts';

const most = 16;

/** TCP connections that load from the same server meanwhile. */
export const rivals = defineFactor({
  id: 'rivals',
  title: 'TCP connections beside',
  example: '4, 1',
  whenOpen: 'no TCP connections beside',
  form: {
    words: `a number of TCP connections from 1 to ${most}`,
    read: (text) => {
      const count = wholeNumberIn(text);
      return count === undefined || count < 1 || count > most ? undefined : count;
    },
    write: (count: number) => String(count),
  },
  honouredBy: ['client'],
  setBy: 'quic-go: TCP connections at the same time',
  provenBy: 'their requests in the server’s log',
  readBack: 'serverLog.path',
});
