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

/** What earlier loads say that a trial must have loaded. */
export const expectedLoadSchema = z.object({
  /** How many loads it is made of. */
  loads: z.number(),
  /** Whether a browser that was recorded made one of them, so that it is known which requests failed. */
  isRecorded: z.boolean(),
  requests: z.array(expectedRequestSchema),
});
export type ExpectedLoad = z.infer<typeof expectedLoadSchema>;
