import { z } from 'zod';
import { factorsSchema } from './factors-schema.ts';
import { trialMetricsSchema } from './metrics.ts';
import { hasReason, type ReasonCode } from './reasons.ts';
import { trialIdSchema } from './trial-id.ts';
import { instrumentationSchema } from './instrumentation.ts';
import { viewSchema } from './workload.ts';

export const trialStatusSchema = z.enum(['ok', 'invalid', 'failed', 'unsupported', 'not-run']);
export type TrialStatus = z.infer<typeof trialStatusSchema>;

/** Of `reasonTexts` (`reasons.ts`), or of a newer version; absent: there is no reason, or it was written before there were codes. */
export const reasonCodeSchema = z.string().optional();

export const reasonFactsSchema = z.record(z.string(), z.union([z.string(), z.number()])).optional();

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
  instrumentation: instrumentationSchema,
  status: trialStatusSchema,
  /** For every status but `ok`: what happened, with the object or process named. `deadline` exactly for a reached deadline. */
  reason: z.string().optional(),
  reasonCode: reasonCodeSchema,
  /** What programs read of the reason besides its code. */
  reasonFacts: reasonFactsSchema,
  /** Codes of what else speaks against the trial, each once; absent: nothing does. */
  otherReasonCodes: z.array(z.string()).optional(),
  startedAt: z.string(),
  durationMs: z.number(),
  postProcessMs: z.number(),
  metrics: trialMetricsSchema,
  /** Of journeys only: what each named step measured, in order. */
  steps: z.array(z.object({ name: z.string(), metrics: trialMetricsSchema })).optional(),
  /** Paths below the run directory: har, raw, frames. */
  artifacts: z.record(z.string(), z.string()),
  warnings: z.array(z.string()),
  /** Tries before this one that came to nothing because the machine disturbed them, in order; absent: none. */
  earlierTries: z.array(z.object({ startedAt: z.string(), reason: z.string() })).optional(),
  /** By how much counters of path and machine rose over the trial: drops, late packets, UdpRcvbufErrors …; absent without any. */
  counters: z.record(z.string(), z.number()).optional(),
});
export type TrialRecord = z.infer<typeof trialRecordSchema>;

/**
 * Whether a trial does not count for nothing but a delayed path. The machine did that, and not the arm: nothing of what it
 * proved or failed to prove is against it.
 */
export function failedOnlyByEmulatorLag({
  status,
  reasonCode,
  otherReasonCodes = [],
}: Pick<TrialRecord, 'status' | 'reasonCode' | 'otherReasonCodes'>): boolean {
  const delayed: ReasonCode = 'path-delayed';
  return status === 'invalid' && [reasonCode, ...otherReasonCodes].every((code) => code === delayed);
}

/** Whether the machine disturbed a trial, by its path or its interfaces, and nothing else is against it that is not of that making. */
export function disturbedByMachine(
  record: Pick<TrialRecord, 'status' | 'reasonCode' | 'otherReasonCodes'>,
): boolean {
  // What a browser drops when an interface goes is missing in many ways.
  return failedOnlyByEmulatorLag(record) || hasReason(record, 'network-changed');
}

/** Whether the machine disturbed a trial or an earlier try of it, for which it was run again. */
export const wasDisturbed = (record: TrialRecord): boolean =>
  record.earlierTries !== undefined || disturbedByMachine(record);

/** Whether the end of the time budget left a trial out; the run can be resumed. */
export function isLeftByBudget(record: Pick<TrialRecord, 'status' | 'reasonCode'>): boolean {
  return record.status === 'not-run' && hasReason(record, 'budget');
}

/** When a trial was over and its files written, ms since 1970. */
export function endOfRecord({
  startedAt,
  durationMs,
  postProcessMs,
}: Pick<TrialRecord, 'startedAt' | 'durationMs' | 'postProcessMs'>): number {
  return Date.parse(startedAt) + durationMs + postProcessMs;
}
