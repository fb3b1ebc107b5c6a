import { z } from 'zod';
import type { Factors } from './factor.ts';
import { armProtocolSchema } from './protocol.ts';

/** What is set for a trial: of the condition's own factors, and of any other by its name. */
export const factorsSchema = z
  .object({
    protocol: armProtocolSchema.optional(),
    client: z.string().optional(),
    network: z.string().optional(),
    server: z.string().optional(),
  })
  .catchall(z.string().optional()) satisfies z.ZodType<Factors>;
