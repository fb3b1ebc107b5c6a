import { z } from 'zod';

/** The part of a plan that one host runs: the `index`th of `count`, counted from 1. */
export const shardSchema = z
  .object({ index: z.number().int().positive(), count: z.number().int().positive() })
  .refine(({ index, count }) => index <= count, 'the number of a shard is at most that of all shards');
export type Shard = z.infer<typeof shardSchema>;

/** As people write it: `2/3`. */
export function shardName({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** How workers share a run. */
export const planQueueSchema = z.object({
  /** Names the run in the queue and in the results store. */
  runId: z.string().regex(/^[0-9a-f-]+$/),
  /** Blocks behind the last of `repetitions`, settled beforehand: leases of theirs stand in for lost ones. */
  spareBlocks: z.number().int().nonnegative(),
  /** A worker that is silent for so long is lost, ms. */
  lostAfterMs: z.number().int().positive(),
});
export type PlanQueue = z.infer<typeof planQueueSchema>;
