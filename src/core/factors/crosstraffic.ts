import { defineFactor } from './factor.ts';

const kinds = ['download', 'upload', 'call', 'video'] as const;
/** Those that can go over QUIC. */
const quicKinds: readonly string[] = ['download', 'upload'];
/** Before the congestion control of a sender that is one of QUIC. */
const quicPrefix = 'quic-';
/** Of the QUIC sender, which is ngtcp2's. */
const quicCongestions = ['cubic', 'reno', 'bbr'] as const;

/** What another client loads over the same link meanwhile. */
export interface CrossTraffic {
  readonly traffic: (typeof kinds)[number];
  readonly transport: 'tcp' | 'quic';
  /** Of its sender; absent: the machine's, of TCP. */
  readonly congestion?: string;
}

function read(text: string): CrossTraffic | undefined {
  const [word = '', sender, ...more] = text.split('@');
  const traffic = kinds.find((kind) => kind === word);
  if (traffic === undefined || more.length > 0) return undefined;
  if (sender === undefined) return { traffic, transport: 'tcp' };
  const quic = quicCongestions.find((name) => sender === `${quicPrefix}${name}`);
  if (quic !== undefined && quicKinds.includes(traffic))
    return { traffic, transport: 'quic', congestion: quic };
  // No algorithm of TCP is called so.
  const isTcp = traffic !== 'call' && /^[a-z]\w*$/.test(sender) && sender !== 'quic';
  return isTcp ? { traffic, transport: 'tcp', congestion: sender } : undefined;
}

function write({ traffic, transport, congestion }: CrossTraffic): string {
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
    read,
    write,
  },
  honouredBy: ['link'],
  setBy: 'a second client behind the same emulated link',
  provenBy: 'its bytes on the link',
  readBack: 'otherTraffic.congestionControl',
});
