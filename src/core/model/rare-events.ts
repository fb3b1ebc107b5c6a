import { z } from 'zod';
import { intervalSchema } from './interval.ts';

/** In what rates of events are told. */
export const exposureUnitSchema = z.enum(['hour of play', '1000 messages', '100 uploads']);
export type ExposureUnit = z.infer<typeof exposureUnitSchema>;

const eventRateSchema = z.object({
  events: z.number(),
  /** How much was watched, in `unit`. */
  exposure: z.number(),
  /** Events for each unit: the exact interval of a Poisson rate. */
  rateInterval95: intervalSchema,
  /** Its exact one-sided bound: without events 3.0 for all that was watched. */
  rateUpperBound95: z.number().nullable(),
});

/** Of counts and times of events that may never happen: how many, and in how much that was watched. */
export const rareEventCountsSchema = z.object({
  /** One of them, and several: `["stall", "stalls"]`. */
  nouns: z.tuple([z.string(), z.string()]),
  unit: exposureUnitSchema,
  baseline: eventRateSchema,
  candidate: eventRateSchema,
  /** Candidate less baseline, events for each unit, with the spread between blocks taken into account. */
  differenceInterval95: intervalSchema,
  /** Events for each unit that do not matter. */
  margin: z.number(),
  /** Exact two-sided p of equal rates, were all events independent. */
  pEqualRates: z.number(),
});
export type RareEventCounts = z.infer<typeof rareEventCountsSchema>;

/** What a plan lets one see of rare events, as far as that is known beforehand. */
export interface PlannedExposure extends Pick<RareEventCounts, 'nouns' | 'unit' | 'margin'> {
  /** Of a side of the comparison that has least, in `unit`. */
  readonly exposure: number;
  /** The largest rate that is left without any event: the exact one-sided 95 % bound. */
  readonly boundIfNone: number;
  /** Blocks without any event after which the rates of both sides are equal within the margin; null where very many would not do. */
  readonly blocksToEqual: number | null;
}
