/** What messages of a page travel by: one WebSocket, or a WebTransport session with one stream, a stream each, or datagrams. */
export const messageTransports = ['websocket', 'wt-stream', 'wt-streams', 'wt-datagrams'] as const;
export type MessageTransport = (typeof messageTransports)[number];

/** Where an origin that echoes messages takes sessions; its certificate's hash stands below it. */
export const messagesPath = '/h2h3-messages';

/** A QUIC datagram of this size fits the smallest packets that browsers begin with (1200 bytes), with all its heads. */
export const maxDatagramBytes = 1100;
