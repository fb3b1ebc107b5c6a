import { z } from 'zod';
import { answerSchema } from './answer.ts';
import { audienceResultSchema } from './audience.ts';
import { intervalSchema } from './interval.ts';
import { firstScreenSchema } from './first-screen.ts';
import { comparisonSchema, type Comparison } from './summary.ts';
import { nameTableSchema } from './name-table.ts';

/** What a gate repeats of a comparison, as it stands there. */
const repeated = {
  workload: true,
  workloadKind: true,
  client: true,
  network: true,
  server: true,
  metric: true,
  unit: true,
  higherIsBetter: true,
  ratio: true,
  ratioInterval: true,
  difference: true,
  differenceInterval: true,
  margin: true,
  pValue: true,
  adjustedPValue: true,
  adjustedPEquivalent: true,
  verdict: true,
  reason: true,
  reasonCode: true,
  blocksNeeded: true,
  smallestDetectable: true,
  heterogeneity: true,
  worstRank: true,
} as const;
type Repeated = Pick<Comparison, keyof typeof repeated>;

export function repeatedByGate(comparison: Comparison): Repeated {
  const names = Object.keys(repeated) as (keyof Repeated)[];
  const fields = names.map((name) => [name, comparison[name]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as unknown as Repeated;
}

/** What a gate says of one primary comparison. */
export const gateComparisonSchema = comparisonSchema.pick(repeated).extend({
  baselineArm: z.string(),
  candidateArm: z.string(),
  /** Blocks of the look at which the verdict fell, or of the last look taken. */
  blocks: z.number(),
  /** Level of that interim analysis's test; its interval has 1 − level. */
  level: z.number(),
  /** Of one that is not decided: its interval ends within the margin on the worse side, so it may be better or alike. */
  shownNotWorse: z.boolean().optional(),
  /** The whole of it in words. */
  sentence: z.string(),
});
export type GateComparison = z.infer<typeof gateComparisonSchema>;

/**
 * `passed`: everything primary is decided and not worse, or shown not to be worse; `undecided`: nothing is worse, something
 * may be. A pool that is mixed counts as worse when one of its sites is.
 */
export const gateOutcomeSchema = z.enum(['passed', 'worse', 'undecided']);
export type GateOutcome = z.infer<typeof gateOutcomeSchema>;

/** `gate.json`: the judgement of one run. */
export const gateSchema = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  command: z.string(),
  outcome: gateOutcomeSchema,
  /** Whether trials failed or were invalid beyond what a run may lose: then nothing passes. */
  trialsFailed: z.boolean(),
  /** The first screen of the run's report. */
  firstScreen: firstScreenSchema,
  /** The outcome in words: the report's headline, counts, and whether too much was lost. */
  headline: z.array(z.string()),
  /** Looks taken, in order. */
  interims: z.array(z.object({ blocks: z.number(), level: z.number(), open: z.number() })),
  /** Blocks of the interim analyses that were planned, and blocks really done. */
  plannedInterims: z.array(z.number()),
  blocks: z.number(),
  comparisons: z.array(gateComparisonSchema),
  /** Secondary comparisons that are worse; they look for effects and never fail a gate. */
  secondaryWorse: z.array(z.string()),
  /** Whose fault it is, from the difference in differences, a sentence a workload. */
  attribution: z.array(
    z.object({
      workload: z.string(),
      metric: z.string(),
      network: z.string(),
      cause: z.enum(['protocol', 'browser', 'both', 'other-protocol', 'open']),
      ratioOfRatios: z.number().nullable(),
      interval: intervalSchema,
      adjustedPValue: z.number().nullable(),
      sentence: z.string(),
    }),
  ),
  /** Where what is worse comes from, a sentence a place. */
  reasons: z.array(z.string()).optional(),
  /** The run that halves the versions between which a browser became worse; absent where there is none to make. */
  bisect: z.string().optional(),
  /** Of a plan with an audience: what its segments get, who gains and who loses. */
  audience: audienceResultSchema.optional(),
  /** What to measure next for what is not decided, as the report has it. */
  next: z.array(answerSchema).optional(),
  warnings: z.array(z.string()),
  names: nameTableSchema,
});
export type Gate = z.infer<typeof gateSchema>;
