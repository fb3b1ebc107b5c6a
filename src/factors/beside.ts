import { defineFactor } from './factor.ts';

const kinds = ['download', 'upload', 'call', 'video'] as const;

/** What another client loads over the same link meanwhile. */
export interface Beside {
  readonly traffic: (typeof kinds)[number];
  /** Of its sender, where it is one of TCP; absent: the machine's. */
  readonly congestion?: string;
}

function read(text: string): Beside | undefined {
  const [word = '', congestion, ...more] = text.split('@');
  const traffic = kinds.find((kind) => kind === word);
  if (traffic === undefined || more.length > 0) return undefined;
  if (congestion === undefined) return { traffic };
  return traffic === 'call' || !/^[a-z]\w*$/.test(congestion) ? undefined : { traffic, congestion };
}

/** Traffic of another client over the client’s link. */
export const beside = defineFactor({
  id: 'beside',
  title: 'other traffic',
  example: 'download, upload, call, video, download@bbr',
  whenOpen: 'no other traffic',
  joint: 'next to',
  words: (text) => `${/^[aeiou]/.test(text) ? 'an' : 'a'} ${text.replace('@', ' with ')}`,
  form: {
    words: 'download, upload, call or video, with the congestion control of its TCP if wanted: download@bbr',
    read,
    write: ({ traffic, congestion }: Beside) =>
      congestion === undefined ? traffic : `${traffic}@${congestion}`,
  },
  honouredBy: ['link'],
  setBy: 'a second client behind the same emulated link',
  provenBy: 'its bytes on the link',
  readBack: 'otherTraffic.congestionControl',
});
