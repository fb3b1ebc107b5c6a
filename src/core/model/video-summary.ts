import { z } from 'zod';
import { conditionFields } from './condition.ts';
import { stretchSchema } from './schedule.ts';
import { bufferSampleSchema, chunkMetricSchema, linkRateSchema, stallSchema } from './metrics.ts';

/** One DASH session for the report's timelines. */
export const sessionSummarySchema = z.object({
  trialId: z.string(),
  blockIndex: z.number(),
  arm: z.string(),
  workload: z.string(),
  client: z.string(),
  network: z.string(),
  startupDelayMs: z.number().nullable(),
  chunks: z.array(chunkMetricSchema),
  bufferLevelSeconds: z.array(bufferSampleSchema),
  stalls: z.array(stallSchema),
  decodeStalls: z.array(stallSchema).optional(),
  /** Bitrates of the ladder, ascending: the scale of the bitrate's axis. */
  ladderKbps: z.array(z.number()).optional(),
  /** Where a trace sets the link's rate. */
  linkRateMbps: z.array(linkRateSchema).optional(),
  /** Where a schedule changes the link. */
  linkSchedule: z.array(stretchSchema).optional(),
});

/** How long each step of a ladder was fetched for, over all sessions of an arm in one condition. */
export const ladderStepsSchema = z.object({
  ...conditionFields,
  arm: z.string(),
  sessions: z.number(),
  /** Every step of the ladder, ascending; shares of media time, which add up to 1. */
  steps: z.array(z.object({ bitrateKbps: z.number(), timeShare: z.number() })),
});

/** Encoded bitrates of all chunks of an arm in one condition, as Zhang et al. 2024 show them in figure 9. */
export const chunkBitratesSchema = z.object({
  ...conditionFields,
  arm: z.string(),
  chunkSeconds: z.number(),
  chunks: z.number(),
  meanKbps: z.number(),
  /** Minimum, quartiles and maximum. */
  quantilesKbps: z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]),
});

/** Over sessions of an arm in one condition; null where none of them has it. */
const viewedSchema = z
  .object({ median: z.number(), quartiles: z.tuple([z.number(), z.number()]) })
  .nullable();
export type Viewed = z.infer<typeof viewedSchema>;

/** What viewers got of an arm in one condition, from the valid timed sessions alone. */
export const viewingSchema = z.object({
  ...conditionFields,
  arm: z.string(),
  sessions: z.number(),
  /** Sessions that came to nothing, such as those whose player died: they are in no other figure. */
  lost: z.number(),
  playedSeconds: z.number(),
  startupMs: viewedSchema,
  bitrateKbps: viewedSchema,
  /** Of films whose pictures are compared with their originals. */
  vmaf: viewedSchema,
  switches: viewedSchema,
  /** Of all sessions, and how many of these stalled at all; rates are null where nothing was played. */
  stalls: z.object({
    count: z.number(),
    totalMs: z.number(),
    sessions: z.number(),
    /** Of play. */
    perHour: z.number().nullable(),
    /** Of the time from the first picture on. */
    timeShare: z.number().nullable(),
  }),
  /** Of recorded sessions: requests in which the player told the server of itself, and those that the session's log contradicts. */
  cmcd: z.object({ sessions: z.number(), requests: z.number(), contradicted: z.number() }).optional(),
});
export type Viewing = z.infer<typeof viewingSchema>;
