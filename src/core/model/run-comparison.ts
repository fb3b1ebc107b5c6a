import { z } from 'zod';
import { reasonCodeSchema } from './record.ts';
import { nameTableSchema } from './name-table.ts';
import { comparisonSchema, runDescriptionSchema, summarySchema } from './summary.ts';

/** One arm, or the gap between two arms, of one run: what is compared between the runs. */
const sideSchema = z.object({
  n: z.number(),
  /** For a gap by ratio, the median of candidate ÷ baseline. */
  median: z.number().nullable(),
  quartiles: z.tuple([z.number(), z.number()]).nullable(),
});

/** One metric of run B against run A; verdicts speak of B. */
export const runContrastSchema = comparisonSchema
  .pick({ workload: true, workloadKind: true, client: true, network: true, server: true, metric: true })
  .extend(comparisonSchema.pick({ unit: true, higherIsBetter: true, primary: true, exploratory: true }).shape)
  .extend(comparisonSchema.pick({ ratio: true, ratioInterval: true, difference: true }).shape)
  .extend(comparisonSchema.pick({ differenceInterval: true, margin: true, pValue: true }).shape)
  .extend(comparisonSchema.pick({ adjustedPValue: true, cliffsDelta: true, verdict: true }).shape)
  .extend({
    /** `gap`: candidate against baseline within each run; `level`: one arm. */
    what: z.enum(['gap', 'level']),
    /** Baseline and candidate of a gap; the one arm of a level. */
    arms: z.array(z.string()),
    a: sideSchema,
    b: sideSchema,
    /** The smaller number of values. */
    blocks: z.number(),
    reason: z.string().optional(),
    reasonCode: reasonCodeSchema,
    /** What runs differ by although nothing changed, on which p, interval and verdict rest; absent where that is not known. */
    betweenRuns: z
      .object({ sd: z.number(), runs: z.number(), source: z.enum(['calibration', 'history']) })
      .optional(),
  });
export type RunContrast = z.infer<typeof runContrastSchema>;

/** Something in which two runs differ. */
export const runDifferenceSchema = z.object({
  what: z.string(),
  a: z.string(),
  b: z.string(),
  /** Makes the figures of the runs incomparable; the others are named only. */
  refuses: z.boolean(),
});
export type RunDifference = z.infer<typeof runDifferenceSchema>;

export const comparedRunSchema = z.object({
  /** Folder as the user named it. */
  folder: z.string(),
  run: runDescriptionSchema,
  trials: summarySchema.shape.trials,
});

/** `compare.json`: run B against run A. */
export const runComparisonSchema = z.object({
  schemaVersion: z.literal(1),
  a: comparedRunSchema,
  b: comparedRunSchema,
  headline: z.array(z.string()),
  /** What a comparison of runs made at different times cannot know. */
  caution: z.string(),
  differences: z.array(runDifferenceSchema),
  /** Gaps first, then levels, each with primary ones first. */
  contrasts: z.array(runContrastSchema),
  warnings: z.array(z.string()),
  names: nameTableSchema,
});
export type RunComparison = z.infer<typeof runComparisonSchema>;
