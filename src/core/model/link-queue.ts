import { z } from 'zod';

const count = z.number().int().nonnegative();
/** By ECN field as they came: Not-ECT, ECT(1), ECT(0), CE (RFC 3168). */
const byEcn = z.tuple([count, count, count, count]);

/** What came to the queue of one direction of a link, and what became of it. */
export const queueCountsSchema = z.object({
  packets: count,
  /** IP bytes. */
  bytes: count,
  /** By the queue: because it was full, or by what manages it. */
  dropped: count,
  /** By the queue, instead of being dropped. */
  marked: count,
  tcpEcn: byEcn,
  udpEcn: byEcn,
  /** Time in the queue before the link took a packet: from µs, to µs, packets. */
  sojourns: z.array(z.tuple([z.number(), z.number(), count])),
});
export type QueueCounts = z.infer<typeof queueCountsSchema>;

/** Of the client that is measured, and of another one of the same link. */
const sharedQueueSchema = z.object({ measured: queueCountsSchema, beside: queueCountsSchema });

/** What the queues of the client's own link did during a trial, by the link's own count. */
export const linkQueueSchema = z.object({ up: sharedQueueSchema, down: sharedQueueSchema });
export type LinkQueue = z.infer<typeof linkQueueSchema>;

/** Traffic of another client of the link. */
export const besideFactsSchema = z.object({
  /** Such as `download`. */
  traffic: z.string(),
  /** Absent in records made before other traffic could go over QUIC: TCP. */
  transport: z.enum(['tcp', 'quic']).optional(),
  /** Of its sender: of TCP as the kernel says, of QUIC as its program was told; of a call, of the connection that it is arranged over. */
  congestionControl: z.string(),
});
export type BesideFacts = z.infer<typeof besideFactsSchema>;
