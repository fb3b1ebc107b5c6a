import { z } from 'zod';
import { courseSeriesSchema } from './link-courses.ts';

/** What a property of a sender was found to be. */
export const senderVerdicts = ['as-rfc', 'as-own-tcp', 'differs', 'not-decided', 'reference'] as const;
export type SenderVerdict = (typeof senderVerdicts)[number];

/** One property of one sender: a server over one protocol. */
const measuredPropertySchema = z.object({
  property: z.string(),
  verdict: z.enum(senderVerdicts),
  /** Median of the repeats, in the unit of the property; null: none could be read. */
  median: z.number().nullable(),
  /** Its interval of 95 % or more; null below six values. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Valid trials that tell it. */
  count: z.number().int(),
  /** The most that the RFC allows, of trials that differ in it the median; absent: it names no figure, or no trial tells it. */
  allowed: z.number().optional(),
  /** How often the median is the allowed value, or that of the server's own TCP; absent unless it differs. */
  times: z.number().optional(),
  /** What was found, a sentence without its full stop. */
  sentence: z.string(),
});
export type MeasuredProperty = z.infer<typeof measuredPropertySchema>;

/** A server over one protocol. */
const senderSchema = z.object({
  /** As the factor names it, such as `nginx@1.30`. */
  server: z.string(),
  protocol: z.enum(['h2', 'h3']),
  /** Its name and version as measured; null: it never answered. */
  version: z.string().nullable(),
  /** Of this transport, as the server or the kernel says it. */
  congestionControl: z.string().nullable(),
  properties: z.array(measuredPropertySchema),
  /** What left the link in a middle trial of each disturbance. */
  courses: z.array(courseSeriesSchema.extend({ disturbance: z.string() })),
});
export type Sender = z.infer<typeof senderSchema>;

/** `senders.json`: fingerprints of servers, read off the client's link. */
export const sendersSchema = z.object({
  schemaVersion: z.literal(1),
  measuredAt: z.string(),
  h2h3: z.object({ version: z.string(), gitRevision: z.string().nullable() }),
  machine: z.string(),
  /** What was found, for the first screen; sentences without their full stop. */
  headline: z.string(),
  /** What a maintainer would act on, worst first, three at most. */
  findings: z.array(z.string()),
  /** Why parts of what was asked for could not be measured; sentences without their full stop. Absent: all could. */
  notMeasured: z.array(z.string()).optional(),
  /** What was loaded: at most `limitBytes` for a property of a server, and `loadedBytes` for the one that took most. Absent: not counted. */
  traffic: z.object({ limitBytes: z.number(), loadedBytes: z.number(), property: z.string() }).optional(),
  /** The emulated path in words. */
  path: z.string(),
  client: z.string(),
  repeats: z.number().int(),
  /** What each property is, in the order of the columns. */
  properties: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      unit: z.string(),
      meaning: z.string(),
      source: z.string(),
      /** Disturbances in whose trials it is read. Absent: measured before they were kept. */
      readIn: z.array(z.string()).optional(),
    }),
  ),
  senders: z.array(senderSchema),
});
export type Senders = z.infer<typeof sendersSchema>;
