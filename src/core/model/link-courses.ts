import { z } from 'zod';
import { stretchSchema } from './schedule.ts';

/** What crossed the client's link over time while a schedule changed it. */
export const courseSeriesSchema = z.object({
  /** The one that carried more. */
  direction: z.enum(['up', 'down']),
  stepMs: z.number(),
  /** IP bits that left the link in each step from navigation on. */
  mbps: z.array(z.number()),
  /** Mean time from coming to leaving of what left in each step, and share of what came that loss and outages took; null: nothing did. */
  delayMs: z.array(z.number().nullable()).optional(),
  lossPercent: z.array(z.number().nullable()).optional(),
  /** What was in force when. */
  schedule: z.array(stretchSchema),
});
export type CourseSeries = z.infer<typeof courseSeriesSchema>;

/** The courses of all arms in one block of a condition. */
export const linkCoursesSchema = z.object({
  workload: z.string(),
  client: z.string(),
  network: z.string(),
  blockIndex: z.number(),
  arms: z.array(courseSeriesSchema.extend({ arm: z.string() })),
});
export type LinkCourses = z.infer<typeof linkCoursesSchema>;
