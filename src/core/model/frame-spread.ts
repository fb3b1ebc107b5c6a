import { z } from 'zod';
import { armSpreadSchema } from './arm-spread.ts';
import { frameSampleSchema, stallSchema } from './metrics.ts';

/** The latency of all frames of an arm that were seen in one condition, and those of one trial in the order of the screen. */
export const frameSpreadSchema = armSpreadSchema.extend({
  /** How far behind the live edge the player was told to stay, ms. */
  delayTargetMs: z.number(),
  shown: z.number(),
  late: z.number(),
  lost: z.number(),
  /** Of the sessions, from the first moving picture on, and those of them in which the picture stood still. */
  seconds: z.number(),
  stalledSeconds: z.number(),
  samples: z.array(frameSampleSchema),
  stalls: z.array(stallSchema),
});
export type FrameSpread = z.infer<typeof frameSpreadSchema>;

/** Of an arm that was told several delays in one place: the lowest from which on fewer than 1 % of seconds stalled. */
export const lowestDelaySchema = armSpreadSchema
  .pick({ client: true, network: true, server: true, arm: true })
  .extend({
    /** Ascending. */
    triedMs: z.array(z.number()),
    /** Null: at none of them. */
    holds: frameSpreadSchema.pick({ delayTargetMs: true, seconds: true, stalledSeconds: true }).nullable(),
  });
export type LowestDelay = z.infer<typeof lowestDelaySchema>;
