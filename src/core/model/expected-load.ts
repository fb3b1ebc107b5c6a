import { z } from 'zod';

/** A request that earlier loads of the same page by the same arm made. */
export const expectedRequestSchema = z.object({
  method: z.string(),
  url: z.string(),
  /** Of the latest recorded load that had it, else of the latest load; 0: it failed. */
  status: z.number(),
  /** Why it failed in a recorded load. */
  error: z.string().optional(),
  /** Whether each of those loads asked for it, whatever its query, before its load event. */
  isInEveryLoad: z.boolean(),
});
export type ExpectedRequest = z.infer<typeof expectedRequestSchema>;

/** A request header that a server in front of an app drops, so that the app is not told it. */
export const lostHeaderSchema = z.object({ name: z.string(), url: z.string() });
export type LostHeader = z.infer<typeof lostHeaderSchema>;

/** What earlier loads say that a trial must have loaded. */
export const expectedLoadSchema = z.object({
  /** How many loads it is made of. */
  loads: z.number(),
  /** Whether a browser that was recorded made one of them, so that it is known which requests failed. */
  isRecorded: z.boolean(),
  requests: z.array(expectedRequestSchema),
  /** Seen in a recorded load by way of the same server: a timed one cannot see it. */
  lostHeader: lostHeaderSchema.optional(),
});
export type ExpectedLoad = z.infer<typeof expectedLoadSchema>;
