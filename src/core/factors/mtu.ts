import { defineFactor } from './factor.ts';
import { wholeNumberIn } from './forms.ts';

const leastBytes = 1280;
const mostBytes = 1500;

/** Largest IP packet of a link. */
export const mtu = defineFactor({
  id: 'mtu',
  title: 'MTU',
  example: '1400, 1280',
  unsetLabel: 'MTU 1500',
  form: {
    words: `bytes from ${leastBytes} (what QUIC needs, and IPv6) to ${mostBytes}`,
    read: (text) => {
      const bytes = wholeNumberIn(text);
      return bytes === undefined || bytes < leastBytes || bytes > mostBytes ? undefined : { bytes };
    },
    write: ({ bytes }: { readonly bytes: number }) => String(bytes),
  },
  honouredBy: ['link'],
  setBy: '`ip link` at both ends',
  provenBy: '`ip link`; sizes by `--probe packets`',
  readBack: 'testbed.links.mtuBytes',
});
