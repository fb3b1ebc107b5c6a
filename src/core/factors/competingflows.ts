import { defineFactor } from './factor.ts';
import { wholeNumberIn } from './forms.ts';

const most = 16;
const quicSuffix = '@quic';

/** Connections that load from the same server meanwhile, as the client itself would. */
export interface CompetingFlows {
  readonly count: number;
  readonly transport: 'tcp' | 'quic';
}

function read(text: string): CompetingFlows | undefined {
  const isQuic = text.endsWith(quicSuffix);
  const count = wholeNumberIn(isQuic ? text.slice(0, -quicSuffix.length) : text);
  if (count === undefined || count < 1 || count > most) return undefined;
  return { count, transport: isQuic ? 'quic' : 'tcp' };
}

/** `2 competing TCP flows`. */
function wordsOf(text: string): string {
  const value = read(text);
  if (value === undefined) return text;
  const { count, transport } = value;
  return `${count} competing ${transport === 'quic' ? 'QUIC' : 'TCP'} flow${count === 1 ? '' : 's'}`;
}

/** Connections that load from the same server meanwhile. */
export const competingflows = defineFactor({
  id: 'competingflows',
  title: 'competing flows',
  example: '4, 1, 1@quic',
  unsetLabel: 'no competing flows',
  words: wordsOf,
  form: {
    words: `a number of TCP connections from 1 to ${most}; of QUIC ones with @quic: 1@quic`,
    read,
    write: ({ count, transport }: CompetingFlows) => `${count}${transport === 'quic' ? quicSuffix : ''}`,
  },
  honouredBy: ['client'],
  setBy: 'quic-go: connections at the same time',
  provenBy: 'their requests in the server’s log',
  readBack: 'serverLog.path',
});
