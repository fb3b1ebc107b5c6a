import { defineFactor } from './factor.ts';

/** What a client's first receive window of 64 KB takes. */
export const maxTcpPackets = 40;
/** Of a longer first flight the link's log would not hold four round trips. */
const maxPackets = 64;

/** Packets that a server sends on a new connection before anything has been acknowledged (RFC 6928; RFC 9002, section 7.2). */
export const initialwindow = defineFactor({
  id: 'initialwindow',
  title: 'an initial window of',
  example: '32, 10',
  unsetLabel: 'the initial window of each stack',
  words: (text) => `an initial window of ${text} packets`,
  form: {
    words: `1 to ${maxPackets} packets, over TCP at most ${maxTcpPackets} (left out: as the stack has it, 10 in Linux)`,
    read: (text) => {
      const packets = /^[1-9]\d?$/.test(text) ? Number(text) : undefined;
      return packets === undefined || packets > maxPackets ? undefined : { packets };
    },
    write: ({ packets }: { readonly packets: number }) => String(packets),
  },
  honouredBy: ['link', 'sender'],
  appliersOf: (_, protocol) => [protocol === 'h3' ? 'sender' : 'link'],
  unable: 'has no setting for the initial window of its QUIC',
  boundTo: {
    protocols: ['h1', 'h2', 'h3'],
    why: 'the initial windows of TCP and QUIC are set apart, so an arm that sets one has to name its protocol',
  },
  // Only a link of ours tells whether the first flight is as large.
  needsOwnLink: true,
  unfit: ({ packets }) =>
    packets > maxTcpPackets
      ? `the first receive window of a client’s TCP takes ${maxTcpPackets} packets`
      : undefined,
  setBy: 'TCP: `initcwnd` of the route, at both ends; QUIC: Go and tquic',
  provenBy: 'TCP: the route; the first flight of every trial',
  readBack: 'testbed.links.initialWindowPackets',
});
