import { defineFactor } from './factor.ts';
import { sizeIn, sizeText } from './forms.ts';

/** To which TCP's buffers of a socket may grow, each way, at both ends of a link. */
export const tcpbuffers = defineFactor({
  id: 'tcpbuffers',
  title: 'TCP buffers of at most',
  example: '256kb, 4mb',
  unsetLabel: 'TCP buffers of 32 MB',
  form: {
    words: 'a size such as 64kb or 4mb (1 kb is 1024 bytes)',
    read: (text) => {
      const bytes = /^[1-9]\d{0,4}[km]b$/.test(text) ? sizeIn(text, 1024) : undefined;
      return bytes === undefined ? undefined : { bytes };
    },
    write: ({ bytes }: { readonly bytes: number }) => sizeText(bytes, 1024),
  },
  honouredBy: ['link'],
  setBy: '`tcp_rmem` and `tcp_wmem` at both ends',
  provenBy: 'read back there',
  readBack: 'testbed.links.tcpBufferBytes',
});
