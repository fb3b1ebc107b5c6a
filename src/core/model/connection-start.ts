import { z } from 'zod';

/** Why a connection's first flight is not known. */
export const noFlightReasons = ['no-handshake', 'no-response', 'no-answer'] as const;

/** The words for each. */
export const noFlightWords: Readonly<Record<(typeof noFlightReasons)[number], string>> = Object.freeze({
  'no-handshake': 'the link did not see its handshake, so the connection was open before',
  'no-response': 'the server sent no whole packet on it',
  'no-answer': 'the client never answered the response, as far as the link wrote it down',
});

/** Packets of the server that one round trip carried, IP headers included. */
const roundSchema = z.object({ packets: z.number(), bytes: z.number(), durationMs: z.number() });
export type Round = z.infer<typeof roundSchema>;

/** How the server began to answer on one connection, as the client's emulated link saw it. */
export const connectionStartSchema = z.object({
  transport: z.enum(['tcp', 'udp']),
  clientPort: z.number(),
  serverPort: z.number(),
  /** Null: not known, for the reason next to it. */
  firstFlight: roundSchema
    .extend({
      /** Whether the server had no more to send, so that its window is at least that large. */
      isLeast: z.boolean(),
      /** Of the response. */
      largestPacketBytes: z.number(),
      /**
       * What the server had sent before it, the handshake’s packets first of all, and had acknowledged before it ended: so much the
       * window may have grown (RFC 5681, section 3.1; RFC 9002, section 7.3.1). Absent in older runs.
       */
      acknowledgedBefore: z.object({ packets: z.number(), bytes: z.number() }).optional(),
    })
    .nullable(),
  reason: z.enum(noFlightReasons).optional(),
  /** From the first flight on, at most four. */
  rounds: z.array(roundSchema),
  /** Most bytes of the server within one millisecond; null: it sent no response. */
  largestBurstBytes: z.number().nullable(),
  /** From the first data that the client had not answered to its next packet, median, ms; absent: it answered none, or in older runs. */
  ackDelayMs: z.number().optional(),
  /** The first flight after the server had rested for five seconds or more; absent: it never did. */
  rested: roundSchema
    .extend({
      largestPacketBytes: z.number(),
      /** Most bytes within one millisecond. */
      largestBurstBytes: z.number(),
      /** Smaller packets that the server sent after the rest, and had acknowledged before the flight ended. Absent in older runs. */
      acknowledgedPackets: z.number().optional(),
    })
    .optional(),
  /** Of QUIC: bytes of datagrams until the client's first answer to the server had reached it; absent: of TCP, or not known. */
  unproven: z.object({ upBytes: z.number(), downBytes: z.number() }).optional(),
});
export type ConnectionStart = z.infer<typeof connectionStartSchema>;
