import { z } from 'zod';
import { conditionFields } from './condition.ts';

/** An arm in one condition, and how many valid trials of it there are. */
export const armTrialsSchema = z.object({
  ...conditionFields,
  arm: z.string(),
  trials: z.number(),
});

/** Times over all valid trials of an arm in one condition, and the trial that is shown of them. */
export const armSpreadSchema = armTrialsSchema.extend({
  /** Of those that came, ms, ascending: from the least to the most in equal shares. */
  quantilesMs: z.array(z.number()),
  /** The block of the shown trial, whose latest are closest to the median of all blocks. */
  blockIndex: z.number(),
});
export type ArmSpread = z.infer<typeof armSpreadSchema>;
