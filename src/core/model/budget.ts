import { z } from 'zod';
import { nameTableSchema } from './name-table.ts';
import { workloadKindSchema } from './workload.ts';

export const budgetVerdictSchema = z.enum(['kept', 'exceeded', 'undecided']);
export type BudgetVerdict = z.infer<typeof budgetVerdictSchema>;

/** One budget in one condition and arm. */
export const budgetCheckSchema = z.object({
  workload: z.string(),
  workloadKind: workloadKindSchema,
  client: z.string(),
  network: z.string(),
  server: z.string(),
  arm: z.string(),
  metric: z.string(),
  unit: z.string(),
  bound: z.enum(['below', 'above']),
  limit: z.number(),
  /** Trials with a value. */
  n: z.number(),
  median: z.number().nullable(),
  /** 95 % interval of the median; null below six values. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** One-sided sign tests: of a median within the limit, and of one beyond it (Holm over all budgets of the run). */
  pKept: z.number().nullable(),
  adjustedPExceeded: z.number().nullable(),
  verdict: budgetVerdictSchema,
  /** The whole of it in words. */
  sentence: z.string(),
});
export type BudgetCheck = z.infer<typeof budgetCheckSchema>;

/** `budgets.json`: whether a run keeps its budgets. */
export const budgetReportSchema = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  command: z.string(),
  outcome: budgetVerdictSchema,
  trialsFailed: z.boolean(),
  headline: z.array(z.string()),
  checks: z.array(budgetCheckSchema),
  names: nameTableSchema,
});
export type BudgetReport = z.infer<typeof budgetReportSchema>;
