import { defineFactor } from './factor.ts';
import { wholeNumberIn } from './forms.ts';

const trafficKinds = ['download', 'upload', 'call', 'video'] as const;

/** Those that can go over QUIC. */
const quicKinds: readonly string[] = ['download', 'upload'];

/** Before the congestion control of a sender that is one of QUIC. */
const quicPrefix = 'quic-';

/** Of the QUIC sender, which is ngtcp2's. */
const quicCongestions = ['cubic', 'reno', 'bbr'] as const;

/** What another client loads over the same link meanwhile. */
export interface CrossTraffic {
  readonly traffic: (typeof trafficKinds)[number];
  readonly transport: 'tcp' | 'quic';
  /** Of its sender; absent: the machine's, of TCP. */
  readonly congestion?: string;
}

function readTraffic(text: string): CrossTraffic | undefined {
  const [word = '', sender, ...more] = text.split('@');
  const traffic = trafficKinds.find((kind) => kind === word);
  if (traffic === undefined || more.length > 0) return undefined;
  if (sender === undefined) return { traffic, transport: 'tcp' };
  const quic = quicCongestions.find((name) => sender === `${quicPrefix}${name}`);
  if (quic !== undefined && quicKinds.includes(traffic))
    return { traffic, transport: 'quic', congestion: quic };
  // No algorithm of TCP is called so.
  const isTcp = traffic !== 'call' && /^[a-z]\w*$/.test(sender) && sender !== 'quic';
  return isTcp ? { traffic, transport: 'tcp', congestion: sender } : undefined;
}

function writeTraffic({ traffic, transport, congestion }: CrossTraffic): string {
  if (congestion === undefined) return traffic;
  return `${traffic}@${transport === 'quic' ? quicPrefix : ''}${congestion}`;
}

/** Traffic of another client over the client’s link. */
export const crosstraffic = defineFactor({
  id: 'crosstraffic',
  title: 'background traffic',
  example: 'download, upload, call, video, download@bbr, download@quic-cubic',
  unsetLabel: 'no background traffic',
  preposition: 'next to',
  words: (text) =>
    `${/^[aeiou]/.test(text) ? 'an' : 'a'} ${text.replace(`@${quicPrefix}`, ' over QUIC with ').replace('@', ' with ')}`,
  form: {
    words:
      'download, upload, call or video, with the congestion control of its TCP if wanted: download@bbr; a download or an upload over QUIC with quic-cubic, quic-reno or quic-bbr: download@quic-bbr',
    read: readTraffic,
    write: writeTraffic,
  },
  appliedBy: ['link'],
  setBy: 'a second client behind the same emulated link',
  provenBy: 'its bytes on the link',
  readBack: 'otherTraffic.congestionControl',
});

const maxFlows = 16;

const quicMark = '@quic';

/** Connections that load from the same server meanwhile, as the client itself would. */
export interface CompetingFlows {
  readonly count: number;
  readonly transport: 'tcp' | 'quic';
}

function readFlows(text: string): CompetingFlows | undefined {
  const isQuic = text.endsWith(quicMark);
  const count = wholeNumberIn(isQuic ? text.slice(0, -quicMark.length) : text);
  if (count === undefined || count < 1 || count > maxFlows) return undefined;
  return { count, transport: isQuic ? 'quic' : 'tcp' };
}

/** `2 competing TCP flows`. */
function flowsInWords(text: string): string {
  const value = readFlows(text);
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
  words: flowsInWords,
  form: {
    words: `a number of TCP connections from 1 to ${maxFlows}; of QUIC ones with @quic: 1@quic`,
    read: readFlows,
    write: ({ count, transport }: CompetingFlows) => `${count}${transport === 'quic' ? quicMark : ''}`,
  },
  appliedBy: ['client'],
  setBy: 'quic-go: connections at the same time',
  provenBy: 'their requests in the server’s log',
  readBack: 'serverLog.path',
});
