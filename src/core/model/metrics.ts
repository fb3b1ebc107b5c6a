import { z } from 'zod';
import { noFlightReasons } from './connection-start.ts';
import { courseSeriesSchema } from './link-courses.ts';
import { stretchSchema } from './schedule.ts';

/** How two arms are compared: by the ratio (metrics above zero) or the difference (metrics that can be zero). */
export type ComparisonForm = 'ratio' | 'difference';

/** Per-chunk facts of a DASH session, in order of play. Times are ms after the player's load call. */
export const chunkMetricSchema = z.object({
  index: z.number(),
  representation: z.string(),
  bitrateKbps: z.number(),
  durationMs: z.number(),
  bytes: z.number(),
  requestStartMs: z.number(),
  firstByteMs: z.number(),
  lastByteMs: z.number(),
  throughputMbps: z.number(),
  protocol: z.string(),
  bufferLevelSeconds: z.number(),
});
export type ChunkMetric = z.infer<typeof chunkMetricSchema>;

/** `[tMs, levelSeconds]`, at most 250 ms apart; t counts from the player's load call. */
export const bufferSampleSchema = z.tuple([z.number(), z.number()]);

/** A stall after playback began: `[startMs, endMs]`, t counts from the player's load call. */
export const stallSchema = z.tuple([z.number(), z.number()]);

/** `[tMs, mbps]`: the rate that a trace gives a link from t on, until the next. */
export const linkRateSchema = z.tuple([z.number(), z.number()]);

/** A message: `[sentMs after the first was due, delayMs or null where it was lost, whether it waited behind another]`. */
export const messageSampleSchema = z.tuple([z.number(), z.number().nullable(), z.boolean()]);

/** Frames of a broadcast as they came to the screen: `[shownMs, latencyMs]`, shownMs counts from the player's load call. */
export const frameSampleSchema = z.tuple([z.number(), z.number()]);

/** The server's first flight on the connection that tells it (`connection-start.ts`), or why it is not known. */
export const firstFlightSchema = z.union([
  z.object({
    transport: z.enum(['tcp', 'udp']),
    packets: z.number(),
    bytes: z.number(),
    /** Whether the server had no more to send: its window is at least that large. */
    isLeast: z.boolean(),
    largestPacketBytes: z.number(),
    /** What may have made its window grow before (`connection-start.ts`); absent in older runs. */
    acknowledgedBefore: z.object({ packets: z.number(), bytes: z.number() }).optional(),
    /** Packets of each round trip, from the first flight on. */
    roundPackets: z.array(z.number()),
  }),
  z.object({ transport: z.enum(['tcp', 'udp']), reason: z.enum(noFlightReasons) }),
]);
export type FirstFlight = z.infer<typeof firstFlightSchema>;

/**
 * What one trial measured: numbers by metric name (null: could not be measured, the reason is a warning),
 * and the few structured ones named here. Names and meanings: METRICS in the documentation.
 */
export const trialMetricsSchema = z
  .object({
    protocolShare: z.record(z.string(), z.number()).optional(),
    /** What the trial spent its time on, ms by stage; of a page they add up to its load time. */
    stagesMs: z.record(z.string(), z.number()).optional(),
    cpuSecondsByProcess: z.record(z.string(), z.number()).optional(),
    chunks: z.array(chunkMetricSchema).optional(),
    bufferLevelSeconds: z.array(bufferSampleSchema).optional(),
    stalls: z.array(stallSchema).optional(),
    /** Waits with enough buffered to play on: the decoder's or the machine's, not the network's. */
    decodeStalls: z.array(stallSchema).optional(),
    /** Bitrates of the ladder that the session could choose from, ascending. */
    ladderKbps: z.array(z.number()).optional(),
    /** Where a trace sets the link's rate: `[tMs, mbps]`, from t on, counted from the player's load call. */
    linkRateMbps: z.array(linkRateSchema).optional(),
    /** Of sessions whose link follows a schedule: what was in force towards the client, counted from the player's load call. */
    linkSchedule: z.array(stretchSchema).optional(),
    /** Where the client's link follows a schedule. */
    linkCourse: courseSeriesSchema.optional(),
    /** Where the client's link is emulated. */
    firstFlight: firstFlightSchema.optional(),
    /** Of messages, in the order of sending. */
    messages: z.array(messageSampleSchema).optional(),
    /** Of a broadcast whose pictures say their numbers: how far behind the player was told to stay, and each frame that was seen. */
    frames: z.object({ delayTargetMs: z.number(), shown: z.array(frameSampleSchema) }).optional(),
  })
  .catchall(z.number().nullable());
export type TrialMetrics = z.infer<typeof trialMetricsSchema>;

/** Above this, and below one over it, no value is a measurement: squares and ratios of ratios stay within the range of numbers. */
export const largestMeasured = 1e75;

/** A value as comparisons take it: undefined where it is none or too large, zero where it is too small to divide by. */
export function measuredValue(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(Math.abs(value) <= largestMeasured)) return undefined;
  return Math.abs(value) < 1 / largestMeasured ? 0 : value;
}

/** The value of a plain numeric metric, or undefined where the trial has none. */
export function numericMetric(metrics: TrialMetrics, name: string): number | undefined {
  return measuredValue(metrics[name]);
}
