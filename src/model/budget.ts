import { z } from 'zod';
import { H2h3Error } from './errors.ts';
import { metricCatalogue } from './metric-catalogue.ts';
import type { MetricDefinition } from './metrics.ts';
import { nameTableSchema } from './name-table.ts';
import { didYouMean } from './nearest-name.ts';
import { workloadKindSchema } from './workload.ts';

/** An absolute limit of a metric: `lcp<2500ms`, `throughput>20mbit/s`. */
export interface Budget {
  readonly metric: MetricDefinition;
  /** `below`: at most the limit is kept. */
  readonly bound: 'below' | 'above';
  /** In the metric's unit. */
  readonly limit: number;
}

/** How many of a metric's unit one of the written unit is. */
const scales: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ms: { '': 1, ms: 1, s: 1000 },
  s: { '': 1, s: 1, ms: 0.001 },
  B: { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2 },
  'kbit/s': { '': 1, 'kbit/s': 1, kbps: 1, 'mbit/s': 1000, mbps: 1000 },
  'Mbit/s': { '': 1, 'mbit/s': 1, mbps: 1, 'kbit/s': 0.001, kbps: 0.001 },
  '%': { '': 1, '%': 1 },
};

/** The name without its unit: `lcp` means `lcpMs`. */
const bare = (name: string): string =>
  name.replace(/(?:Ms|Kbps|Mbps|Seconds|Bytes|Percent)$/, '').toLowerCase();

/** Metrics that a word may mean: a name, or a name without its unit. */
function metricsNamed(word: string): readonly MetricDefinition[] {
  const exact = metricCatalogue.filter(({ name }) => name.toLowerCase() === word.toLowerCase());
  return exact.length > 0 ? exact : metricCatalogue.filter(({ name }) => bare(name) === word.toLowerCase());
}

/** @throws H2h3Error `usage` for what is no budget, with what was meant */
export function parseBudget(text: string): Budget {
  const parts = /^\s*([A-Za-z]\w*)\s*([<>])=?\s*(\d+(?:\.\d+)?)\s*([A-Za-z%/]*)\s*$/.exec(text);
  const [, word = '', sign, amount, unit = ''] = parts ?? [];
  if (parts === null)
    throw new H2h3Error('usage', `not a budget: "${text}"`, {
      context: { expected: "such as 'lcp<2500ms', 'wireBytes<1.5MB' or 'throughput>20mbit/s'", got: text },
    });
  const [metric, second] = metricsNamed(word);
  if (metric === undefined || second !== undefined)
    throw new H2h3Error('usage', `the budget "${text}" names no metric`, {
      next: didYouMean(
        word,
        metricCatalogue.flatMap(({ name }) => [name, bare(name)]),
        '`npx h2h3 describe metrics` lists them.',
      ),
    });
  const scale = (scales[metric.unit] ?? { '': 1 })[unit.toLowerCase()];
  if (scale === undefined)
    throw new H2h3Error('usage', `the budget "${text}" is in another unit than the metric`, {
      context: {
        expected: metric.unit === '' ? 'a number without a unit' : `a number of ${metric.unit}`,
        got: unit,
      },
    });
  return { metric, bound: sign === '<' ? 'below' : 'above', limit: Number(amount) * scale };
}

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
