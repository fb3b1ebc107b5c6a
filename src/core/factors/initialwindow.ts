import { defineFactor } from './factor.ts';

/** What a client's first receive window of 64 KB takes. */
const mostPackets = 40;

/** Packets that TCP sends on a new connection before anything has been acknowledged (RFC 6928). */
export const initialwindow = defineFactor({
  id: 'initialwindow',
  title: 'an initial window of TCP of',
  example: '32, 10',
  unsetLabel: 'the initial window of each stack',
  words: (text) => `an initial window of ${text} packets`,
  form: {
    words: `1 to ${mostPackets} packets (left out: as the stack has it, 10 in Linux)`,
    read: (text) => {
      const packets = /^[1-9]\d?$/.test(text) ? Number(text) : undefined;
      return packets === undefined || packets > mostPackets ? undefined : { packets };
    },
    write: ({ packets }: { readonly packets: number }) => String(packets),
  },
  honouredBy: ['link'],
  boundTo: {
    protocols: ['h1', 'h2'],
    why: 'QUIC begins as its implementation does: Caddy and Go with 32 packets, the other servers with 10 to 32',
  },
  setBy: '`initcwnd` of the route, at both ends',
  provenBy: 'the route; the first flight of every trial',
  readBack: 'testbed.links.initialWindowPackets',
});
