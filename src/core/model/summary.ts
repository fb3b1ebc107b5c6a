import { z } from 'zod';
import { conditionFields } from './condition.ts';
import { intervalSchema } from './interval.ts';
import { rareEventCountsSchema } from './rare-events.ts';
import {
  chunkBitratesSchema,
  ladderStepsSchema,
  sessionSummarySchema,
  viewingSchema,
} from './video-summary.ts';
import { answerSchema } from './answer.ts';
import { armTrialsSchema } from './arm-spread.ts';
import { corpusPageSchema, realPagesFigureSchema } from './corpus.ts';
import { diagnosisSchema } from './diagnosis.ts';
import { environmentSchema } from './environment.ts';
import { factorsSchema } from './factors-schema.ts';
import { firstFlightsSchema, unlikeFlightsSchema } from './first-flights.ts';
import { linkCoursesSchema } from './link-courses.ts';
import { firstScreenSchema } from './first-screen.ts';
import { hostAgreementSchema } from './host-agreement.ts';
import { frameSpreadSchema, lowestDelaySchema } from './frame-spread.ts';
import { messageSpreadSchema } from './message-spread.ts';
import { publishedResultSchema } from './published.ts';
import { audienceResultSchema } from './audience.ts';
import { reasonCodeSchema, reasonFactsSchema, trialStatusSchema } from './record.ts';
import { runInstrumentationSchema, overheadSchema, instrumentationSchema } from './instrumentation.ts';
import { tailSchema } from './tails.ts';
import { workloadKindSchema } from './workload.ts';

/** `mixed`: pooled over sites that disagree, so that no one word is true of them all. */
export const verdictSchema = z.enum(['better', 'worse', 'equivalent', 'mixed', 'inconclusive']);
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * Range in which the number of blocks lies that decides with 80 % power; null beyond 200, and a high end of 200 means 200
 * or more.
 */
export const blocksNeededSchema = intervalSchema;

/** One site of a pooled comparison: the mean of its own blocks. */
export const siteEffectSchema = z.object({
  workload: z.string(),
  ratio: z.number(),
  /** Blocks in which the site has a value in both arms. */
  cells: z.number(),
  /** Two-sided p of an effect beyond the margin, Holm over the sites; null where the site has too few cells. */
  adjustedPBeyondMargin: z.number().nullable(),
  /** Set where that p is below the level. */
  decided: z.enum(['better', 'worse']).nullable(),
  /** To which side its own blocks point, which is no verdict; null where they may be noise, absent in runs up to November 2026. */
  leans: z.enum(['better', 'worse']).nullable().optional(),
});

/** How far the sites of a pooled comparison agree. */
export const heterogeneitySchema = z.object({
  /** F test of equal effects at all sites, on the residuals of the fit; null where it cannot be made. */
  pValue: z.number().nullable(),
  /** Standard deviation between the sites' true effects, on the scale of the logarithm. */
  siteSd: z.number().nullable(),
  /** Ratios of the lowest and the highest site. */
  range: z.tuple([z.number(), z.number()]),
  lowest: z.string(),
  highest: z.string(),
  /** 95 % interval of the mean ratio over sites like these (random sites, Hartung and Knapp); null below three sites. */
  sitesLikeThese: intervalSchema,
  /** In the plan's order. */
  sites: z.array(siteEffectSchema),
});
export type Heterogeneity = z.infer<typeof heterogeneitySchema>;

/** Whether any site of a pool is worse for certain: then a mixed pool is no pass. */
export function hasWorseSite(heterogeneity: Heterogeneity | undefined): boolean {
  return heterogeneity?.sites.some(({ decided }) => decided === 'worse') === true;
}

/** The comparison again with every lost trial counted as the worst that was seen. */
export const worstRankSchema = z.object({
  /** Trials that ran and left no value. */
  lostBaseline: z.number(),
  lostCandidate: z.number(),
  ratio: z.number().nullable(),
  ratioInterval: intervalSchema,
  difference: z.number().nullable(),
  differenceInterval: intervalSchema,
  pBeyondMargin: z.number().nullable(),
  pEquivalent: z.number().nullable(),
  /** What the verdict would be on these figures. */
  verdict: verdictSchema,
});
export type WorstRank = z.infer<typeof worstRankSchema>;

/** The test behind p and intervals. */
export const testNameSchema = z.enum(['signed-rank', 't']);
export type TestName = z.infer<typeof testNameSchema>;

export const armSummarySchema = z.object({
  arm: z.string(),
  /** What this arm sets. */
  factors: factorsSchema.optional(),
  n: z.number(),
  median: z.number().nullable(),
  quartiles: z.tuple([z.number(), z.number()]).nullable(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
});

/** One metric of one condition (or pooled over workloads), candidate against baseline. */
export const comparisonSchema = z.object({
  /** Workload id, or `pooled`. */
  workload: z.string(),
  workloadKind: workloadKindSchema,
  client: z.string(),
  network: z.string(),
  server: z.string(),
  metric: z.string(),
  unit: z.string(),
  higherIsBetter: z.boolean(),
  /** The trials that it comes from. */
  instrumentation: instrumentationSchema,
  /** Of recorded trials, where it is known: by how much more recording slows the candidate than the baseline. */
  instrumentationOverhead: overheadSchema.optional(),
  primary: z.boolean(),
  /** Name of the family in which p was adjusted; `exploratory` families use Benjamini–Hochberg, primary ones Holm. */
  family: z.string(),
  exploratory: z.boolean(),
  baseline: armSummarySchema,
  candidate: armSummarySchema,
  /** Number of blocks in which both arms have a value. */
  blocks: z.number(),
  ratio: z.number().nullable(),
  ratioInterval: intervalSchema,
  difference: z.number().nullable(),
  differenceInterval: intervalSchema,
  /**
   * Of a pool of times: the mean of candidate − baseline over its sites, in ms. The ratio is a geometric mean, whose milliseconds are
   * those of no load.
   */
  meanDifference: z.number().optional(),
  /** Level of both intervals where it is not 0.95: that at which the verdict fell, after adjustment. */
  intervalLevel: z.number().optional(),
  /** The plain intervals of 95 %, whatever the verdict rests on. */
  ratioInterval95: intervalSchema,
  differenceInterval95: intervalSchema,
  margin: z.number(),
  /** Of no difference at all, two-sided. */
  pValue: z.number().nullable(),
  /** `pBeyondMargin` adjusted in its family: what `better` and `worse` rest on. */
  adjustedPValue: z.number().nullable(),
  /** Of an effect within the margin, two-sided; and of an effect outside of it (the larger of two one-sided p). */
  pBeyondMargin: z.number().nullable(),
  pEquivalent: z.number().nullable(),
  /** `pEquivalent` adjusted in its family: what `equivalent` rests on. */
  adjustedPEquivalent: z.number().nullable(),
  test: testNameSchema,
  /** Welch's t test of unpaired values, where the plan follows a study that used it. */
  welchPValue: z.number().nullable().optional(),
  cliffsDelta: z.number().nullable(),
  /** What `equivalent` rests on too, where the metric counts rare events. */
  rareEvents: rareEventCountsSchema.optional(),
  verdict: verdictSchema,
  reason: z.string().optional(),
  reasonCode: reasonCodeSchema,
  reasonFacts: reasonFactsSchema,
  /** For inconclusive ones. */
  blocksNeeded: blocksNeededSchema.optional(),
  /** Smallest true change found beyond the margin with 80 % power at this number of blocks and noise; as `margin` is. */
  smallestDetectable: z.number().nullable().optional(),
  /** Of pooled comparisons only. */
  heterogeneity: heterogeneitySchema.optional(),
  /** Only where trials were lost. */
  worstRank: worstRankSchema.optional(),
  /** Only where several machines ran its blocks. */
  hosts: hostAgreementSchema.optional(),
  warnings: z.array(z.string()),
  /** Values per block for plots: `[blockIndex, baseline, candidate]`. */
  values: z.array(z.tuple([z.number(), z.number().nullable(), z.number().nullable()])),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const differenceInDifferencesSchema = z.object({
  ...conditionFields,
  metric: z.string(),
  /** The four arms: [baseline client × baseline protocol, …× candidate protocol, candidate client × baseline protocol, …× candidate protocol]. */
  arms: z.tuple([z.string(), z.string(), z.string(), z.string()]),
  ratioOfRatios: z.number().nullable(),
  interval: intervalSchema,
  /** Level of the interval where it is not 0.95. */
  intervalLevel: z.number().optional(),
  interval95: intervalSchema,
  pValue: z.number().nullable(),
  pBeyondMargin: z.number().nullable(),
  pEquivalent: z.number().nullable(),
  adjustedPEquivalent: z.number().nullable(),
  /** `pBeyondMargin` adjusted. Within the primary (Holm) or the other (Benjamini–Hochberg) differences in differences of the run. */
  adjustedPValue: z.number().nullable(),
  primary: z.boolean(),
  blocks: z.number(),
  verdict: verdictSchema,
  reason: z.string().optional(),
  reasonCode: reasonCodeSchema,
});

/** One cell of a heat map: a primary comparison at a point of the plan's grid. */
export const gridCellSchema = z.object({
  workload: z.string(),
  network: z.string(),
  client: z.string(),
  server: z.string(),
  baselineArm: z.string(),
  candidateArm: z.string(),
  metric: z.string(),
  rateMbps: z.number(),
  rttMs: z.number(),
  lossPercent: z.number(),
  sizeBytes: z.number(),
  count: z.number(),
  /** By how much the candidate is better (above 0) or worse, in percent of the baseline; null where that is not known. */
  betterPercent: z.number().nullable(),
  /** Whether the difference is significant (adjusted p below 0.05); a cell that is not stays blank. */
  significant: z.boolean(),
  /** The same by Welch's t test of the two samples (p below 0.05, not adjusted), as a study had it; absent where none asks for it. */
  significantByWelch: z.boolean().optional(),
});
export type GridCell = z.infer<typeof gridCellSchema>;

/** A trial as the report lists it. */
export const trialSummarySchema = z.object({
  trialId: z.string(),
  blockIndex: z.number(),
  arm: z.string(),
  ...conditionFields,
  status: trialStatusSchema,
  reason: z.string().optional(),
  reasonCode: reasonCodeSchema,
  har: z.string().optional(),
});

export const runDescriptionSchema = z.object({
  name: z.string(),
  command: z.string(),
  seed: z.number(),
  repetitions: z.number(),
  arms: z.array(z.string()),
  baselineArm: z.string(),
  candidateArm: z.string(),
  startedAt: z.string().nullable(),
  /** Wall time from the first trial's start to the last trial's end, without pauses before it was resumed, ms. */
  spanMs: z.number().nullable(),
  complete: z.boolean(),
  /** Blocks after which a sequential run had decided all that it was to decide, and ended; absent of others. */
  decidedAfterBlocks: z.number().optional(),
  exploratory: z.boolean(),
});

/** What second visits of a page had from the first, over the valid trials of an arm in one condition. */
export const secondVisitsSchema = armTrialsSchema.extend({
  /** Medians: objects out of the browser's cache, and objects over the network. */
  cachedObjectCount: z.number().nullable(),
  objectCount: z.number().nullable(),
  /** Mean share of hosts whose first connection resumed a TLS session of the first visit, 0 … 1; null where no server says. */
  resumedHostShare: z.number().nullable(),
});
export type SecondVisits = z.infer<typeof secondVisitsSchema>;

/** `summary.json`: what the run says. Renderers show it and compute nothing. */
export const summarySchema = z.object({
  schemaVersion: z.literal(1),
  run: runDescriptionSchema,
  environment: environmentSchema.nullable(),
  /** The headline, and what a reader gets with it in five seconds. */
  firstScreen: firstScreenSchema,
  /** The same in the words of the statistics, a sentence a comparison. */
  headline: z.array(z.string()),
  /** What must be known before any figure is believed, shown at the head of reports; also among the warnings. */
  banners: z.array(z.string()).optional(),
  /** Those sentences of the headline that say how far it can be trusted, not what came out. */
  caveats: z.array(z.string()),
  /** Of a run that was judged as a gate. */
  gateOutcome: z.enum(['passed', 'worse', 'undecided']).optional(),
  /** What each audience on each network gets, and what to do about it. */
  answers: z.array(answerSchema),
  /** The answers over all networks together, a sentence an audience. */
  overview: z.array(z.string()),
  /** Losses that were not set and that one arm alone has: possible causes of its results. */
  oneSided: z
    .array(z.object({ network: z.string(), arm: z.string(), counter: z.string(), sentence: z.string() }))
    .optional(),
  /** That one side's server obeys the browser's priorities and the other's does not, a sentence without its full stop each. */
  unlikePriorities: z.array(z.string()).optional(),
  /** How the servers of all arms began to send; absent of older runs. */
  firstFlights: z.array(firstFlightsSchema).optional(),
  unlikeFirstFlights: z.array(unlikeFlightsSchema).optional(),
  /** How much of a difference the larger first flight is, where an arm begins with as much: a sentence without its full stop each. */
  firstFlightShares: z.array(z.string()).optional(),
  /** Where the differences come from, as far as this run tells. */
  diagnosis: z.array(diagnosisSchema).optional(),
  workloads: z.array(z.object({ id: z.string(), kind: workloadKindSchema, title: z.string() })),
  trials: z.object({
    ok: z.number(),
    invalid: z.number(),
    failed: z.number(),
    unsupported: z.number(),
    notRun: z.number(),
  }),
  instrumentationOverhead: runInstrumentationSchema,
  comparisons: z.array(comparisonSchema),
  differenceInDifferences: z.array(differenceInDifferencesSchema),
  /** The audience that the plan measures for, and what it gets; absent without one. */
  audience: audienceResultSchema.optional(),
  /** How slow the slow loads of each condition are; absent of older runs and of one arm alone. */
  tails: z.array(tailSchema).optional(),
  /** Cells of a plan's grid, for heat maps; absent without a grid. */
  grid: z.array(gridCellSchema).optional(),
  /** The pages of the run, in the plan's order; absent without pages. */
  corpus: z.array(corpusPageSchema).optional(),
  /** The pages of the run next to real ones; absent where they are too few. */
  realPages: z.array(realPagesFigureSchema).optional(),
  /** Of page workloads in their `repeat` view only. */
  secondVisits: z.array(secondVisitsSchema).optional(),
  /** What path and machine counted during trials (`counters` of records), added up for each network and arm. */
  pathCounters: z
    .array(
      z.object({
        network: z.string(),
        arm: z.string(),
        trials: z.number(),
        counters: z.record(z.string(), z.number()),
      }),
    )
    .optional(),
  calibration: z
    .object({
      /** Of A/A comparisons: share with unadjusted p < 0.05; interval clustered by run. */
      falseAlarmRate: z.number().nullable(),
      falseAlarmInterval: intervalSchema,
      attainableSize: z.number().nullable(),
      comparisons: z.number(),
      /** Whether the interval contains the attainable size; null without an interval (one run alone has none). */
      consistent: z.boolean().nullable(),
      /** Comparisons that could never alarm, left out of the rate. */
      untestable: z.number(),
      families: z.number(),
      /** Families with any better or worse verdict, and the 95 % upper bound of their share. */
      alarmedFamilies: z.number(),
      alarmedFamiliesUpperBound: z.number().nullable(),
    })
    .nullable(),
  /** What studies published next to what this run measured; absent where the plan names no study. */
  published: z.array(publishedResultSchema).optional(),
  /** Video runs only: media time by step of the ladder, and bitrates of chunks, per condition and arm. */
  viewing: z.array(viewingSchema).optional(),
  ladderSteps: z.array(ladderStepsSchema).optional(),
  chunkBitrates: z.array(chunkBitratesSchema).optional(),
  /** Runs with messages only. */
  messages: z.array(messageSpreadSchema).optional(),
  /** Runs with broadcasts whose pictures say their numbers only. */
  frames: z.array(frameSpreadSchema).optional(),
  /** Of those whose arms were told several delays. */
  lowestDelays: z.array(lowestDelaySchema).optional(),
  /** Of conditions over links that follow a schedule: what crossed them in one block. */
  linkCourses: z.array(linkCoursesSchema).optional(),
  /** Every trial that is not ok, in order of the plan. */
  troubles: z.array(trialSummarySchema),
  sessions: z.array(sessionSummarySchema),
  warnings: z.array(z.string()),
});
export type Summary = z.infer<typeof summarySchema>;
