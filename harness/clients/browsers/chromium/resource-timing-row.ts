import { z } from 'zod';

/** What `page/resource-timings.ts` returns for one object; times in ms on the page's clock. */
export const resourceTimingRowSchema = z.object({
  url: z.string(),
  startMs: z.number(),
  domainLookupStartMs: z.number(),
  connectStartMs: z.number(),
  secureConnectionStartMs: z.number(),
  connectEndMs: z.number(),
  requestStartMs: z.number(),
  responseStartMs: z.number(),
  responseEndMs: z.number(),
  protocol: z.string(),
  status: z.number().nullable(),
  transferBytes: z.number(),
  encodedBytes: z.number(),
  decodedBytes: z.number(),
  initiator: z.string(),
});
export type ResourceTimingRow = z.infer<typeof resourceTimingRowSchema>;
