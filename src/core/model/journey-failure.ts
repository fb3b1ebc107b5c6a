import { z } from 'zod';

/** What a page wrote to its console: `error`, `warning`, `log` …, and the text. */
export const consoleLineSchema = z.object({ level: z.string(), text: z.string() });
export type ConsoleLine = z.infer<typeof consoleLineSchema>;

/** Where a script stood when it failed, and what its page showed then. */
export const journeyFailureSchema = z.object({
  message: z.string(),
  /** The step that was under way; null outside of steps. */
  step: z.string().nullable(),
  /** Since the step began, ms; null outside of steps. */
  stepMs: z.number().nullable(),
  /** Since the script was started, ms. */
  journeyMs: z.number(),
  /** Address of the page; null where it does not answer. */
  url: z.string().nullable(),
  /** The last lines of its console. */
  console: z.array(consoleLineSchema),
  /** Lines before those. */
  consoleLeftOut: z.number(),
  /** Why there is no picture of the page; absent where there is one. */
  noScreenshot: z.string().optional(),
});
export type JourneyFailure = z.infer<typeof journeyFailureSchema>;

/** Files of a trial's folder. */
export const failureFile = 'failure.json';
export const failureScreenshotFile = 'failure.jpg';
