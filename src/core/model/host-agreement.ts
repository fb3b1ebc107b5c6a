import { z } from 'zod';

/** How far the machines that shared a run agree on one comparison. */
export const hostAgreementSchema = z.object({
  /** Up to four hosts are a fixed factor; more are a sample of hosts, each with its mean, and intervals cover others of the kind. */
  handling: z.enum(['fixed', 'clustered']),
  /** F test of one effect on all hosts, against the noise within them; null where it cannot be made. */
  pValue: z.number().nullable(),
  /** Of primary comparisons: the mean effect on each host. */
  effects: z
    .array(
      z.object({
        host: z.string(),
        blocks: z.number(),
        ratio: z.number().nullable(),
        difference: z.number().nullable(),
      }),
    )
    .optional(),
});
export type HostAgreement = z.infer<typeof hostAgreementSchema>;
