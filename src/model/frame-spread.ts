import { z } from 'zod';
import { frameSampleSchema, stallSchema } from './metrics.ts';

/** The latency of all frames of an arm that were seen in one condition, and those of one trial in the order of the screen. */
export const frameSpreadSchema = z.object({
  workload: z.string(),
  client: z.string(),
  network: z.string(),
  server: z.string(),
  arm: z.string(),
  trials: z.number(),
  /** How far behind the live edge the player was told to stay, ms. */
  delayTargetMs: z.number(),
  shown: z.number(),
  late: z.number(),
  lost: z.number(),
  /** Of the sessions, from the first moving picture on, and those of them in which the picture stood still. */
  seconds: z.number(),
  stalledSeconds: z.number(),
  /** Latency, ms, ascending: from the least to the most in equal shares. */
  quantilesMs: z.array(z.number()),
  /** The block whose latest 5 % are closest to the median of all blocks. */
  blockIndex: z.number(),
  samples: z.array(frameSampleSchema),
  stalls: z.array(stallSchema),
});
export type FrameSpread = z.infer<typeof frameSpreadSchema>;
