import { z } from 'zod';
import { messageSampleSchema } from './metrics.ts';

/** The times of all messages of an arm in one condition, and those of one trial in the order of sending. */
export const messageSpreadSchema = z.object({
  workload: z.string(),
  client: z.string(),
  network: z.string(),
  server: z.string(),
  arm: z.string(),
  trials: z.number(),
  sent: z.number(),
  lost: z.number(),
  /** Those that waited behind another. */
  behind: z.number(),
  /** Of those that came, ms, ascending: from the least to the most in equal shares. */
  quantilesMs: z.array(z.number()),
  /** The block whose slowest 1 % are closest to the median of all blocks. */
  blockIndex: z.number(),
  samples: z.array(messageSampleSchema),
});
export type MessageSpread = z.infer<typeof messageSpreadSchema>;
