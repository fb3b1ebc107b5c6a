import { z } from 'zod';
import { reasonCodeSchema } from './record.ts';
import { scaleNames } from './scale.ts';

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]);

/**
 * Which values one side of a published comparison has: an arm, and what it does not share with the other side. Of several
 * names the first that the plan has counts, because scales differ.
 */
const sideSchema = z.union([
  z.string(),
  z.strictObject({
    arm: oneOrMore.optional(),
    workload: oneOrMore.optional(),
    network: oneOrMore.optional(),
    client: oneOrMore.optional(),
    metric: z.string().optional(),
  }),
]);
export type PublishedSide = z.infer<typeof sideSchema>;

/** Baseline and candidate. */
const pairSchema = z.tuple([sideSchema, sideSchema]);

/** A text for every scale, or for some. */
export const textByScaleSchema = z.union([
  z.string(),
  z.strictObject({
    quick: z.string().optional(),
    standard: z.string().optional(),
    paper: z.string().optional(),
  }),
]);
export type TextByScale = z.infer<typeof textByScaleSchema>;

/** The text for a scale; undefined where there is none. A run of no known scale has what holds for all. */
export function textAt(text: TextByScale | undefined, scale: string | null): string | undefined {
  if (text === undefined || typeof text === 'string') return text;
  const known = scaleNames.find((name) => name === scale);
  return known === undefined ? undefined : text[known];
}

const value = z.union([z.number(), z.tuple([z.number(), z.number()])]);

/** A published size: of the change in percent, of the difference in the metric's unit, or the candidate's own level. */
export const publishedSizeSchema = z.union([
  z.strictObject({ percent: value }),
  z.strictObject({ difference: value }),
  z.strictObject({ candidate: value }),
]);

/** One result of a study that a plan runs again: what was published, and the comparison of this run that asks the same. */
export const publishedFigureSchema = z.strictObject({
  /** Authors, venue and year. */
  study: z.string(),
  /** What was compared, in a few words. */
  experiment: z.string(),
  /** The metric of this project that stands for it. */
  metric: z.string(),
  /** Workloads, networks, servers of the plan that re-run it; left out: all of them. */
  workloads: z.array(z.string()).optional(),
  networks: z.array(z.string()).optional(),
  servers: z.array(z.string()).optional(),
  /** Clients that it is of, whatever their version; left out: all of them. */
  clients: z.array(z.string()).optional(),
  /** What is compared, baseline first; left out: the plan's second arm with its first. */
  compare: pairSchema.optional(),
  /** The result is how much more `compare` changes than this pair does, block by block. */
  against: pairSchema.optional(),
  /** What the candidate is compared with in place of the baseline's own values, in the metric's unit. */
  than: z.number().optional(),
  /** Whether the mean over the workloads is meant, not each of them. */
  pool: z.boolean().optional(),
  /** The share of trials whose value is at most this is compared, not the value. */
  atMost: z.number().optional(),
  /** The published result in words, with its unit. */
  figure: z.string(),
  /** Words that the text of the study has there. */
  quote: z.array(z.string()).min(1).optional(),
  /**
   * What would repeat it, where the study's result has a direction; `equivalent`: no difference was published; `within`: the
   * change lies in the published range of percent, or not beyond it by more than the margin.
   */
  expects: z.enum(['better', 'worse', 'equivalent', 'within']).optional(),
  /**
   * How large a change in the expected direction must be: the interval has to lie wholly beyond it for the claim to hold, and wholly short
   * of it for the claim to be refuted. Left out: the margin of the metric decides, and equality is what refutes.
   */
  least: z
    .union([
      z.strictObject({ percent: z.number().positive() }),
      z.strictObject({ difference: z.number().positive() }),
    ])
    .optional(),
  /** Its size, where the text has a number. */
  size: publishedSizeSchema.optional(),
  /** Why the size cannot be compared with that of the scale. */
  unlike: textByScaleSchema.optional(),
  /** Why the comparison at a scale asks another question than the study: it is shown, and the claim is not measured. */
  instead: textByScaleSchema.optional(),
  /**
   * What a set-up needs for the study's effect to be possible: the median of this side, in the unit of its metric. Where it is not so
   * the precondition is absent, and nothing is judged.
   */
  requires: z
    .strictObject({
      side: sideSchema,
      atLeast: z.number().optional(),
      atMost: z.number().optional(),
      /** The precondition as a clause. */
      what: z.string(),
    })
    .optional(),
  /** Whether the study says it of several clients together. */
  overClients: z.literal(true).optional(),
  /** Id of the experiment that has the same claim and counts it. */
  countedIn: z.string().optional(),
  /** The machines, network and software it was measured with. */
  machine: z.string(),
  /** Where in the study it stands: section, figure or table. */
  source: z.string(),
});
export type PublishedFigure = z.infer<typeof publishedFigureSchema>;

/** What one comparison of a run says of a published result. */
export const publishedComparisonSchema = z.object({
  /** Ids of what its sides share; absent in older documents. */
  at: z
    .object({ workload: z.string(), network: z.string(), client: z.string(), server: z.string() })
    .partial()
    .optional(),
  /** Where it was made: workload, client, network, and the server where the result is of several. */
  place: z.string(),
  /** Levels, change and interval in words. */
  text: z.string(),
  /** Change and interval alone. */
  change: z.string(),
  /** Change of the candidate against the baseline: a fraction (ratio − 1), or in the metric's unit. */
  form: z.enum(['ratio', 'difference']),
  effect: z.number().nullable(),
  /** Of 95 %. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Without one block the interval would be less than half as wide: a single stall, or a single lucky load. */
  byOneBlock: z.literal(true).optional(),
  /** Median of the candidate and its interval of 95 %. */
  level: z.number().nullable(),
  levelInterval: z.tuple([z.number(), z.number()]).nullable(),
  /** Blocks in which all sides have a value. */
  blocks: z.number(),
  /** Over campaigns of which each is one value: estimate and interval of 95 % (t), which has what differs between them. */
  acrossCampaigns: z
    .object({
      campaigns: z.number(),
      effect: z.number(),
      interval: z.tuple([z.number(), z.number()]),
      text: z.string(),
    })
    .optional(),
  /** Whether it has what was published; `none` where no direction was. */
  outcome: z.enum(['same', 'other', 'undecided', 'none']),
  /** Why it is undecided, where that is not the interval. */
  reason: z.string().optional(),
  reasonCode: reasonCodeSchema,
  /**
   * Of undecided ones: blocks that decide with 80 % power if effect and noise stay, or as many as an interval needs; null
   * where none do. Absent where more blocks alone do not decide.
   */
  blocksNeeded: z.number().nullable().optional(),
});
export type PublishedComparison = z.infer<typeof publishedComparisonSchema>;

/** What most comparisons of one result say of the published direction. */
export const claimAgreementSchema = z.enum([
  'same',
  // Of summaries up to November 2026 alone: now most comparisons decide.
  'partly',
  'other',
  'undecided',
  'precondition absent',
  'no direction',
  'not measured',
]);
export type Agreement = z.infer<typeof claimAgreementSchema>;

/** What a study published, and what a run measured of it. */
export const publishedResultSchema = publishedFigureSchema.extend({
  ours: z.array(publishedComparisonSchema),
  agreement: claimAgreementSchema,
  /** Whether the published size lies in our interval, or by how much not, or why it cannot be compared. */
  sizeWords: z.string(),
  /** Of undecided and unmeasured ones: what a decision costs. */
  price: z.string().optional(),
  /** Of an undecided one that a longer run should decide: its blocks, and the minutes that they take longer. */
  decision: z.object({ blocks: z.number(), minutes: z.number() }).optional(),
  /** How many comparisons this scale has, where the largest one has more. */
  part: z.object({ here: z.number(), all: z.number() }).optional(),
  /** Of several comparisons that do not all say the same: how many agree, how many are against it, of how many. */
  sides: z.object({ same: z.number(), other: z.number(), of: z.number() }).optional(),
  /** Whether the published size lies in our interval at most comparisons; null where none can be compared. Absent in older runs. */
  sizeAgrees: z.boolean().nullable().optional(),
  /** That one client was run where the study says it of several. */
  oneClient: z.literal(true).optional(),
  /** Why the precondition of the study's effect is absent. */
  absent: z.string().optional(),
  /** That the claim was changed after the run that is judged by it: it is shown, and counted nowhere. */
  afterTheFact: z.literal(true).optional(),
  /** What each campaign that is kept says by itself, the oldest first, the newest (which the result is of) last. Absent: a single run. */
  campaigns: z
    .array(
      z.object({
        startedAt: z.string().nullable(),
        revision: z.string().nullable(),
        agreement: claimAgreementSchema,
      }),
    )
    .optional(),
  /** The run's machine, client and server in words, to be read against the study's. */
  ourMachine: z.string(),
});
export type PublishedResult = z.infer<typeof publishedResultSchema>;
