import { defineFactor } from './factor.ts';
import { inWords, namesByHop, oneOf, sizeIn, sizeText, type Form } from './forms.ts';

/** Of the sender at the far end of each link, from the client on; one is that of all. */
export const congestion = defineFactor({
  id: 'congestion',
  title: 'congestion control',
  example: 'reno, cubic, bbr',
  unsetLabel: 'the usual congestion control',
  form: namesByHop,
  appliedBy: ['sender'],
  setBy: 'the listening socket or the server’s configuration',
  provenBy: 'TCP: a connection; QUIC: what the server offers',
  readBack: 'testbed.server.tcpCongestionControl',
});

/** That the kernel spaces out the packets of a sender's TCP, whatever its algorithm. */
export const pacing = defineFactor({
  id: 'pacing',
  title: 'pacing of TCP',
  example: 'on',
  unsetLabel: 'pacing as the congestion control has it',
  form: inWords('on (left out: as the congestion control has it)', oneOf('on')),
  appliedBy: ['sender'],
  boundTo: {
    protocols: ['h1', 'h2'],
    why: 'QUIC paces as its implementation does, and none of its switches is set here',
  },
  setBy: '`SO_MAX_PACING_RATE` of the server’s TCP',
  provenBy: 'a connection',
  readBack: 'testbed.server.tcpPacing',
});

/** Of a longer first flight the link's log would not hold four round trips. */
export const maxWindowPackets = 64;

/** Packets that a server sends on a new connection before anything has been acknowledged (RFC 6928; RFC 9002, section 7.2). */
export const initialwindow = defineFactor({
  id: 'initialwindow',
  title: 'an initial window of',
  example: '32, 10',
  unsetLabel: 'the initial window of each stack',
  words: (text) => `an initial window of ${text} packets`,
  form: {
    words: `1 to ${maxWindowPackets} packets (left out: as the stack has it, 10 in Linux)`,
    read: (text) => {
      const packets = /^[1-9]\d?$/.test(text) ? Number(text) : undefined;
      return packets === undefined || packets > maxWindowPackets ? undefined : { packets };
    },
    write: ({ packets }: { readonly packets: number }) => String(packets),
  },
  appliedBy: ['link', 'sender'],
  appliersOf: (_, protocol) => [protocol === 'h3' ? 'sender' : 'link'],
  unable: 'has no setting for the initial window of its QUIC',
  boundTo: {
    protocols: ['h1', 'h2', 'h3'],
    why: 'the initial windows of TCP and QUIC are set apart, so an arm that sets one has to name its protocol',
  },
  // Only a link of ours tells whether the first flight is as large.
  needsOwnLink: true,
  setBy:
    'TCP: `initcwnd` of the route, at both ends, and `initrwnd` where the client’s own would be smaller; QUIC: Go and tquic',
  provenBy: 'TCP: the route; the first flight of every trial',
  readBack: 'testbed.links.initialWindowPackets',
});

/** Whether TCP begins anew with its initial window when a connection has rested for longer than its timeout (RFC 5681, section 4.1). */
export const slowstartafteridle = defineFactor({
  id: 'slowstartafteridle',
  title: 'slow start after idle',
  example: 'off, on',
  unsetLabel: 'slow start after idle as the kernel has it',
  words: (text) => (text === 'off' ? 'no slow start after idle' : 'slow start after idle'),
  form: oneOf('off', 'on'),
  appliedBy: ['link'],
  boundTo: {
    protocols: ['h1', 'h2'],
    why: 'QUIC keeps or shrinks its window after idle time as its implementation does, and none of its switches is set here',
  },
  setBy: '`tcp_slow_start_after_idle` at both ends',
  provenBy: 'read back there',
  readBack: 'testbed.links.slowStartAfterIdle',
});

/** How much a buffer holds. */
const bufferForm: Form<{ readonly bytes: number }> = {
  words: 'a size such as 64kb or 4mb (1 kb is 1024 bytes)',
  read: (text) => {
    const bytes = /^[1-9]\d{0,4}[km]b$/.test(text) ? sizeIn(text, 1024) : undefined;
    return bytes === undefined ? undefined : { bytes };
  },
  write: ({ bytes }) => sizeText(bytes, 1024),
};

/** `64kb` as `64 KB`. */
const sizeWords = (text: string): string => `${text.slice(0, -2)} ${text.slice(-2).toUpperCase()}`;

/** To which TCP's buffers of a socket may grow, each way, at both ends of a link. */
export const tcpbuffers = defineFactor({
  id: 'tcpbuffers',
  title: 'TCP buffers of at most',
  example: '256kb, 4mb',
  unsetLabel: 'TCP buffers of 32 MB',
  words: (text) => `TCP buffers of at most ${sizeWords(text)}`,
  form: bufferForm,
  appliedBy: ['link'],
  setBy: '`tcp_rmem` and `tcp_wmem` at both ends',
  provenBy: 'read back there',
  readBack: 'testbed.links.tcpBufferBytes',
});

/**
 * How much a server may have under way over QUIC until it is acknowledged, whatever its congestion control allows: nginx of each stream,
 * HAProxy of a connection. Where that is less than a path holds, a round trip carries this much and no more.
 */
export const sendwindow = defineFactor({
  id: 'sendwindow',
  title: 'a send window of',
  example: '64kb, 256kb',
  unsetLabel: 'the send window of each server',
  words: (text) => `a send window of ${sizeWords(text)}`,
  form: bufferForm,
  appliedBy: ['server'],
  boundTo: {
    protocols: ['h3'],
    why: 'this window is of QUIC, and what TCP may have under way is set by tcpbuffers',
  },
  unable: 'has no setting for what its QUIC may have under way',
  setBy:
    '`http3_stream_buffer_size` of nginx (8 MB here where it is left out), `tune.quic.frontend.default-max-window-size` of HAProxy from 3.2 on',
  provenBy: 'what the server was started with',
  readBack: 'testbed.server.quicSendWindowBytes',
});

/** Whether what a client says of priorities (RFC 9218) decides what is sent first. */
export const priorities = defineFactor({
  id: 'priorities',
  title: 'priorities',
  example: 'off, none, on',
  unsetLabel: 'priorities as server and client have them',
  form: inWords(
    'on or off (the server obeys them on both protocols, or on neither) or none (the client sends none)',
    oneOf('on', 'off', 'none'),
  ),
  appliedBy: ['server', 'client'],
  appliersOf: (value) => [value === 'none' ? 'client' : 'server'],
  unable: 'has no switch for priorities',
  setBy: 'a switch of `go`; preferences of Firefox (none)',
  provenBy: 'what `go` was started with; the server’s log (none)',
  readBack: 'testbed.server.obeysPriorities',
});

/** Where the files of an origin lie. */
export const storage = defineFactor({
  id: 'storage',
  title: 'storage of the files',
  example: 'tmpfs, disk',
  unsetLabel: 'files where they were made',
  words: (text) => (text === 'tmpfs' ? 'files in memory' : 'files on disk'),
  form: oneOf('tmpfs', 'disk'),
  appliedBy: ['server'],
  setBy: 'copies in a tmpfs that the server alone sees',
  provenBy: 'the server’s mounts',
  readBack: 'testbed.server.storage',
});
