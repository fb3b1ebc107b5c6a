import { z } from 'zod';

/**
 * What Resource Timing kept of one request (https://www.w3.org/TR/resource-timing/). Times in ms on the clock of its
 * document or worker, 0 where there was no such moment or the browser withholds it.
 */
export const timelineEntrySchema = z.object({
  /** As asked for: after redirects still the first address. */
  url: z.string(),
  startMs: z.number(),
  redirectEndMs: z.number(),
  /** When a service worker was asked; 0: none was. */
  workerStartMs: z.number(),
  domainLookupStartMs: z.number(),
  connectStartMs: z.number(),
  secureConnectionStartMs: z.number(),
  connectEndMs: z.number(),
  requestStartMs: z.number(),
  responseStartMs: z.number(),
  responseEndMs: z.number(),
  /** `nextHopProtocol`; empty where there is none, or the browser withholds it. */
  protocol: z.string(),
  /** 0: no answer; null: this browser does not say. */
  status: z.number().nullable(),
  /** `deliveryType`: `cache`, or empty. */
  delivery: z.string(),
  /** As the standard counts them: body bytes and 300 for the headers. */
  transferBytes: z.number(),
  encodedBytes: z.number(),
  decodedBytes: z.number(),
  initiator: z.string(),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** The timeline of one document or worker, read once, after the load has come to rest. */
export const timelineSchema = z.object({
  /** `page`: the main frame, whose navigation is its first entry. */
  scope: z.enum(['page', 'frame', 'worker']),
  url: z.string(),
  /** `performance.timeOrigin`. */
  timeOriginEpochMs: z.number(),
  /** Entries for which its buffer had no room; null where the browser does not say. */
  droppedEntries: z.number().nullable(),
  entries: z.array(timelineEntrySchema),
});
export type Timeline = z.infer<typeof timelineSchema>;
