import { z } from 'zod';
import { intervalSchema } from './interval.ts';
import { viewSchema, workloadKindSchema, type WorkloadKind } from './workload.ts';

/** Conditions that stand for an audience, at most. */
export const maxAudienceConditions = 12;

/** Of page views that no condition stands for: with a larger share nothing is said of the audience. */
export const maxLeftOutShare = 0.2;

/** A condition that stands for the page views of one or several segments. */
export const audienceConditionSchema = z.object({
  /** Names its network, which no other condition has. */
  network: z.string(),
  title: z.string(),
  /** Of all page views, those that were left out included: 0 … 1. */
  share: z.number().positive().max(1),
  /** Lines of the file, or kinds of them where it has one for each page view. */
  segments: z.number().int().positive(),
  rttMs: z.number().nonnegative(),
  downMbps: z.number().positive(),
  upMbps: z.number().positive(),
  /** In each direction. */
  lossPercent: z.number().min(0).max(100),
  /** Of one CPU; absent: whole CPUs. */
  cpuSharePercent: z.number().positive().optional(),
  family: z.enum(['4', '6', 'both']).optional(),
  view: viewSchema.optional(),
  client: z.string().optional(),
});
export type AudienceCondition = z.infer<typeof audienceConditionSchema>;

/** Page views that no condition stands for, and why. */
export const leftOutSchema = z.object({
  title: z.string(),
  share: z.number().min(0).max(1),
  why: z.string(),
});

/** Who the users are: the conditions that a plan measures for them, with the weight of each. */
export const audienceSchema = z.object({
  /** Name of the file that it was read from. */
  source: z.string(),
  conditions: z.array(audienceConditionSchema).min(1).max(maxAudienceConditions),
  leftOut: z.array(leftOutSchema),
  /** How far page views lie from the condition that stands for them: root mean square, percent. */
  spread: z.object({ rttPercent: z.number(), ratePercent: z.number() }),
  /** What was assumed or changed when the file was read, a sentence each without its full stop. */
  notes: z.array(z.string()),
});
export type Audience = z.infer<typeof audienceSchema>;

/** Share of page views that no condition stands for. */
export function leftOutShare({ leftOut }: Pick<Audience, 'leftOut'>): number {
  return leftOut.reduce((sum, { share }) => sum + share, 0);
}

/** Of a kind of workload whose metric has no mean of ratios, so that segments are not weighted: a sentence without its full stop. */
export function noWholeAnswer(kind: WorkloadKind, metric: string): string {
  return `No single answer for all users (${kind}): ${metric} is compared by difference, and each segment has a verdict of its own`;
}

/** A change of less is no change that a user of a page could notice. */
export const noticeableMs = 100;

const shareInterval = z.tuple([z.number(), z.number()]);

/** Page views that change by a time that a user notices. */
const noticeableShare = z.object({
  /** By the mean of each workload in each segment. */
  share: z.number(),
  /** What is certain, and what is possible. */
  interval: shareInterval,
  /** The workloads and segments of `share`; absent in runs up to November 2026. */
  places: z.array(z.object({ workload: z.string(), network: z.string() })).optional(),
});

const changeShape = {
  ratio: z.number().nullable(),
  ratioInterval: intervalSchema,
  difference: z.number().nullable(),
  differenceInterval: intervalSchema,
} as const;

/** What one metric of one kind of workload is for the whole audience, one pair of arms. */
export const audienceAnswerSchema = z.object({
  workloadKind: workloadKindSchema,
  metric: z.string(),
  unit: z.string(),
  higherIsBetter: z.boolean(),
  client: z.string(),
  server: z.string(),
  baselineArm: z.string(),
  candidateArm: z.string(),
  /** Share of the page views whose conditions have values of both arms; shares below are of these. */
  measuredShare: z.number(),
  /** Whether the metric decides; others are told next to it. */
  isPrimary: z.boolean(),
  /** Of all its intervals: that at which the comparison was decided. */
  level: z.number(),
  blocks: z.number(),
  /** Loads of each arm. */
  loads: z.number(),
  /**
   * The segments that were measured, each with its mean over its workloads, and these apart. Each interval is for itself: together they
   * hold less often than its level says.
   */
  segments: z.array(
    z.object({
      network: z.string(),
      title: z.string(),
      share: z.number(),
      blocks: z.number(),
      ...changeShape,
      workloads: z.array(
        z.object({ workload: z.string(), title: z.string(), share: z.number(), ...changeShape }),
      ),
    }),
  ),
  /** All page views; `difference` is the change of the mean one, which no ratio of means tells. */
  whole: z.object(changeShape),
  /** Quantiles of all loads, weighted; null where too few loads lie beyond them. */
  quantiles: z.array(
    z.object({
      quantile: z.number(),
      baseline: z.number().nullable(),
      candidate: z.number().nullable(),
      difference: z.number().nullable(),
      interval: intervalSchema,
      /** Loads beyond it, of the arm that has fewer. */
      beyond: z.number(),
    }),
  ),
  /**
   * Shares of the page views whose segment and page gain, or lose, so many ms or more on average: estimate, and an interval that
   * holds at the level for all of them together. Null of metrics that are no times, and of too few blocks.
   */
  noticeable: z
    .object({ thresholdMs: z.number(), gaining: noticeableShare, losing: noticeableShare })
    .nullable(),
  /** How many loads that is, and which quantiles have too few: a sentence. */
  loadsSentence: z.string(),
});
export type AudienceAnswer = z.infer<typeof audienceAnswerSchema>;

/** The audience of a run with its answers. */
export const audienceResultSchema = audienceSchema.extend({
  answers: z.array(audienceAnswerSchema),
  /** Shares of users that gain and lose, in words. */
  noticeableSentences: z.array(z.string()),
  /** Who is not in the answers, in words. */
  coverageSentences: z.array(z.string()),
});
export type AudienceResult = z.infer<typeof audienceResultSchema>;
