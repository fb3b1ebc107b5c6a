import { z } from 'zod';

/**
 * How a trial was instrumented. `uninstrumented`: nothing of ours runs in its client or on its CPUs from navigation to rest, and its times,
 * rates and costs are judged. `instrumented`: it records as much as was asked for, which costs time, unlike over each protocol.
 */
export const instrumentationSchema = z.enum(['uninstrumented', 'instrumented']);
export type Instrumentation = z.infer<typeof instrumentationSchema>;

/** A plan of more would not fit into the memory when its trials are made. */
export const maxBlocks = 100_000;

/** How many blocks of a plan are recorded, on top of its timed ones; `all`: each block has timed and recorded trials. */
export const instrumentedBlocksSchema = z.union(
  [z.int().nonnegative().max(maxBlocks, `is more than ${maxBlocks} blocks`), z.literal('all')],
  `is neither \`all\` nor a number of at most ${maxBlocks} blocks`,
);
export type InstrumentedBlocks = z.infer<typeof instrumentedBlocksSchema>;

/** How the trials of a run were instrumented. */
export const runInstrumentationSchema = z.object({
  /** Blocks of either kind in which any trial ran. */
  timedBlocks: z.number(),
  recordedBlocks: z.number(),
  /** By arm: load times of recorded trials over those of timed ones. Arms without both are left out. */
  cost: z.array(z.object({ arm: z.string(), ratio: z.number() })),
  /** The same for readers. */
  sentence: z.string(),
});

/** By how much more recording slows the candidate than the baseline. */
export const overheadSchema = z.object({
  /** (Candidate recorded ÷ timed) ÷ (baseline recorded ÷ timed) of their load times. */
  ratio: z.number(),
  /** Upper 95 % bound of how far that may be from 1: what an effect must go beyond on top of its margin. */
  bound: z.number(),
  /** The run's own trials, or `calibrate --recording` on this machine. */
  source: z.enum(['run', 'calibration']),
});
