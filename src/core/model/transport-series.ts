import { z } from 'zod';

/** What one end of a connection said of it at one moment. */
export const transportSampleSchema = z.object({
  /** Ms since 1970. */
  tMs: z.number(),
  /** Smoothed round trip; null where it was not said. */
  rttMs: z.number().nullable(),
  congestionWindowBytes: z.number().nullable(),
  inFlightBytes: z.number().nullable(),
  /** Segments sent again (TCP) or packets declared lost (QUIC) so far. */
  lostPackets: z.number(),
});
export type TransportSample = z.infer<typeof transportSampleSchema>;

/** `transport-series.json.gz` of a trial: the connections of client and server over time, the same for TCP and QUIC. */
export const transportSeriesSchema = z.object({
  schemaVersion: z.literal(1),
  connections: z.array(
    z.object({
      transport: z.enum(['tcp', 'quic']),
      /** Whose account it is; absent in earlier files: the server's. */
      side: z.enum(['client', 'server']).optional(),
      /** The other end's address (TCP), or a number (QUIC). */
      name: z.string(),
      samples: z.array(transportSampleSchema),
    }),
  ),
});
export type TransportSeries = z.infer<typeof transportSeriesSchema>;
