import { z } from 'zod';

/** A day, and what a direction may be set to. */
export const highestFigures = {
  timeMs: 86_400_000,
  rateMbps: 10_000,
  delayMs: 60_000,
  lossPercent: 100,
  lostPackets: 1000,
  lostTailAfterBytes: 1_000_000_000,
} as const;
const time = z.number().min(0).max(highestFigures.timeMs);
const duration = z.number().positive().max(highestFigures.timeMs);

/** What a direction of a link is set to for a time (`Figures`). */
const figures = {
  rateMbps: z.number().min(0).max(highestFigures.rateMbps).optional(),
  delayMs: z.number().min(0).max(highestFigures.delayMs).optional(),
  jitterMs: z.number().min(0).max(highestFigures.delayMs).optional(),
  lossPercent: z.number().min(0).max(highestFigures.lossPercent).optional(),
  outage: z.literal(true).optional(),
};

/** Packets that a schedule loses by their place (`Figures`). */
const chosenLosses = {
  lostPackets: z.int().min(1).max(highestFigures.lostPackets).optional(),
  lostOfEach: z.int().min(1).max(highestFigures.lostPackets).optional(),
  lostTailAfterBytes: z.int().min(1).max(highestFigures.lostTailAfterBytes).optional(),
};

/** What a link may be set to while it is used. A rate of 0 is an outage. */
export const linkFiguresSchema = z.strictObject({
  ...figures,
  rateMbps: z.number().min(0.001).max(highestFigures.rateMbps).optional(),
});
export type LinkFigures = z.infer<typeof linkFiguresSchema>;

/** An entry of a schedule (`ScheduleItem`). */
export const scheduleItemSchema = z.strictObject({
  atMs: time,
  forMs: duration.optional(),
  everyMs: duration.optional(),
  ...figures,
  ...chosenLosses,
});

/** What differs from a direction's own figures for a time (`Stretch`). */
export const stretchSchema = z.object({ fromMs: z.number(), toMs: z.number(), ...figures, ...chosenLosses });

/** What the schedule of the client's link set during a trial, from navigation on; where nothing is said it had its own figures. */
export const linkScheduleSchema = z.object({
  startEpochMs: z.number(),
  up: z.array(stretchSchema),
  down: z.array(stretchSchema),
});

const count = z.number().int().nonnegative();
/** Of a stretch of time: packets that came, that loss and outages took, that left; IP bytes that left; their mean delay in µs. */
const binSchema = z.tuple([count, count, count, count, count]);

/** What each direction of the client's link did in each stretch of so many ms from navigation on, by the link's own count. */
export const linkCourseSchema = z.object({
  binMs: z.number().positive(),
  up: z.array(binSchema),
  down: z.array(binSchema),
});
export type LinkCourse = z.infer<typeof linkCourseSchema>;
