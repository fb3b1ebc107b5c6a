import { z } from 'zod';
import { factorsSchema } from './factors-schema.ts';
import { trialMetricsSchema } from './metrics.ts';
import { trialIdSchema } from './trial-id.ts';
import { watchSchema } from './watch.ts';
import { viewSchema } from './workload.ts';

export const trialStatusSchema = z.enum(['ok', 'invalid', 'failed', 'unsupported', 'not-run']);
export type TrialStatus = z.infer<typeof trialStatusSchema>;

/** Reason of trials that were not run because the time budget ended; the run can be gone on with. */
export const budgetReason = 'budget';

/** One line of `journal.jsonl`: what became of one trial. */
export const trialRecordSchema = z.object({
  schemaVersion: z.literal(1),
  trialId: trialIdSchema,
  blockIndex: z.number().int().nonnegative(),
  arm: z.string(),
  workload: z.string(),
  /** Of second visits: `repeat`. Absent: `cold`, or no page. */
  view: viewSchema.optional(),
  client: z.string(),
  network: z.string(),
  server: z.string(),
  /** All that were set for the trial; `client`, `network` and `server` are copies. */
  factors: factorsSchema,
  /** Name of the machine that ran it; absent where none began it. */
  host: z.string().optional(),
  watch: watchSchema,
  status: trialStatusSchema,
  /** For every status but `ok`: what happened, with the object or process named. `deadline` exactly for a reached deadline. */
  reason: z.string().optional(),
  startedAt: z.string(),
  durationMs: z.number(),
  postProcessMs: z.number(),
  metrics: trialMetricsSchema,
  /** Of journeys only: what each named step measured, in order. */
  steps: z.array(z.object({ name: z.string(), metrics: trialMetricsSchema })).optional(),
  /** Paths below the run directory: har, raw, frames. */
  artifacts: z.record(z.string(), z.string()),
  warnings: z.array(z.string()),
  /** Tries before this one that came to nothing because the machine delayed the emulated path, in order; absent: none. */
  earlierTries: z.array(z.object({ startedAt: z.string(), reason: z.string() })).optional(),
  /** By how much counters of path and machine rose over the trial: drops, late packets, UdpRcvbufErrors …; absent without any. */
  counters: z.record(z.string(), z.number()).optional(),
});
export type TrialRecord = z.infer<typeof trialRecordSchema>;

/** When a trial was over and its files written, ms since 1970. */
export function endOfRecord({
  startedAt,
  durationMs,
  postProcessMs,
}: Pick<TrialRecord, 'startedAt' | 'durationMs' | 'postProcessMs'>): number {
  return Date.parse(startedAt) + durationMs + postProcessMs;
}
