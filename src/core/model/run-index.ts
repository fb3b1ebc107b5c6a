import { z } from 'zod';
import { nameTableSchema } from './name-table.ts';
import { summarySchema, verdictSchema } from './summary.ts';
import { workloadKindSchema } from './workload.ts';

/** What a list of runs shows of one primary comparison. */
export const indexedComparisonSchema = z.object({
  workload: z.string(),
  workloadKind: workloadKindSchema,
  client: z.string(),
  network: z.string(),
  server: z.string(),
  metric: z.string(),
  unit: z.string(),
  higherIsBetter: z.boolean(),
  arms: z.tuple([z.string(), z.string()]),
  ratio: z.number().nullable(),
  ratioInterval: z.tuple([z.number(), z.number()]).nullable(),
  margin: z.number(),
  verdict: verdictSchema,
});
export type IndexedComparison = z.infer<typeof indexedComparisonSchema>;

/** One run as the list of runs knows it. */
export const runEntrySchema = z.object({
  /** Name of the run's folder below the folder of the list. */
  folder: z.string(),
  name: z.string(),
  /** ISO 8601; null when no trial was run. */
  startedAt: z.string().nullable(),
  spanMs: z.number().nullable(),
  /** `running`: a living process holds the folder; `unreadable`: `problem` says why. */
  state: z.enum(['complete', 'unfinished', 'running', 'unreadable']),
  problem: z.string().optional(),
  headline: z.array(z.string()),
  trials: summarySchema.shape.trials.nullable(),
  decidedAfterBlocks: summarySchema.shape.run.shape.decidedAfterBlocks,
  /** Primary comparisons with a ratio, in the summary's order. */
  primary: z.array(indexedComparisonSchema),
  hasReport: z.boolean(),
  /** Absent without a summary. */
  names: nameTableSchema.optional(),
  /** Tells whether the run's files have changed since: modification times and sizes. */
  stamp: z.string(),
});
export type RunEntry = z.infer<typeof runEntrySchema>;

/** `h2h3-runs.json` next to the runs: what the list shows, so that hundreds of summaries need not be read again. */
export const runIndexSchema = z.object({ schemaVersion: z.literal(1), runs: z.array(runEntrySchema) });
