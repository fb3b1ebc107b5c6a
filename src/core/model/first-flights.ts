import { z } from 'zod';

/** An IP packet of QUIC as browsers and servers begin with it: its window counts bytes, and TCP's packets. */
export const quicPacketBytes = 1250;

/** What was sent as a window counts it, in packets: TCP's counts packets, QUIC's bytes, of which `packetBytes` are a packet here. */
export function windowPackets(
  transport: 'tcp' | 'udp',
  { packets, bytes }: { readonly packets: number; readonly bytes: number },
  packetBytes: number,
): number {
  return transport === 'tcp' ? packets : bytes / packetBytes;
}

/** With what the server of one arm began its responses, over the valid trials of a client, network and server. */
export const firstFlightsSchema = z.object({
  client: z.string(),
  network: z.string(),
  server: z.string(),
  arm: z.string(),
  /** Of which it is known. */
  trials: z.number(),
  /** Fewest and most; null: it is not known. */
  packets: z.tuple([z.number(), z.number()]).nullable(),
  /** What the window takes, IP bytes: of TCP so many whole packets. */
  bytes: z.tuple([z.number(), z.number()]).nullable(),
  /** Whether no window ended any of them, so that it is at least as large. */
  isLeast: z.boolean(),
  /** Of the middle trial: packets of each round trip, from the first flight on. */
  roundPackets: z.array(z.number()),
  /** Least and most of the trials' metrics of these names; absent where no trial has one, and in older runs. */
  largestBurstBytes: z.tuple([z.number(), z.number()]).optional(),
  acksPerPacket: z.tuple([z.number(), z.number()]).optional(),
  /** Why it is not known, a clause. */
  why: z.string().optional(),
});
export type FirstFlights = z.infer<typeof firstFlightsSchema>;

/** Two sides whose servers begin with first flights that differ by more than a fifth. */
export const unlikeFlightsSchema = z.object({
  /** Without its full stop. */
  sentence: z.string(),
  /** The sides; absent in older runs. */
  baselineArm: z.string().optional(),
  candidateArm: z.string().optional(),
  /** What measures how much of the difference that is, where one run can: TCP with as much as QUIC next to both. */
  command: z.string().nullable(),
  minutes: z.number().nullable(),
});
export type UnlikeFlights = z.infer<typeof unlikeFlightsSchema>;
