import { defineFactor } from './factor.ts';
import { wholeNumberIn } from './forms.ts';

const most = 16;
const quicSuffix = '@quic';

/** Connections that load from the same server meanwhile, as the client itself would. */
export interface Rivals {
  readonly count: number;
  readonly transport: 'tcp' | 'quic';
}

function read(text: string): Rivals | undefined {
  const isQuic = text.endsWith(quicSuffix);
  const count = wholeNumberIn(isQuic ? text.slice(0, -quicSuffix.length) : text);
  if (count === undefined || count < 1 || count > most) return undefined;
  return { count, transport: isQuic ? 'quic' : 'tcp' };
}

/** `2 TCP connections beside it`. */
function wordsOf(text: string): string {
  const value = read(text);
  if (value === undefined) return text;
  const { count, transport } = value;
  return `${count} ${transport === 'quic' ? 'QUIC' : 'TCP'} connection${count === 1 ? '' : 's'} beside it`;
}

/** Connections that load from the same server meanwhile. */
export const rivals = defineFactor({
  id: 'rivals',
  title: 'connections beside',
  example: '4, 1, 1@quic',
  unsetLabel: 'no connections beside it',
  words: wordsOf,
  form: {
    words: `a number of TCP connections from 1 to ${most}; of QUIC ones with @quic: 1@quic`,
    read,
    write: ({ count, transport }: Rivals) => `${count}${transport === 'quic' ? quicSuffix : ''}`,
  },
  honouredBy: ['client'],
  setBy: 'quic-go: connections at the same time',
  provenBy: 'their requests in the server’s log',
  readBack: 'serverLog.path',
});
