import { z } from 'zod';

/** One part of a difference: what it is, how much of it, and what shows it. */
export const diagnosisPartSchema = z.object({
  /** `connection`, `first byte`, `queueing`, `transfer`, `processing`, `lost packets`, or another in words. */
  cause: z.string(),
  /** Candidate less baseline. */
  ms: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  evidence: z.string(),
  /** Whether an experiment that takes the cause away has shown it. */
  confirmed: z.boolean(),
});

/** The difference of one comparison in its parts. */
export const diagnosisSchema = z.object({
  workload: z.string(),
  metric: z.string(),
  client: z.string().optional(),
  network: z.string().optional(),
  server: z.string().optional(),
  baselineArm: z.string().optional(),
  candidateArm: z.string().optional(),
  differenceMs: z.number(),
  parts: z.array(diagnosisPartSchema),
  unexplainedMs: z.number(),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;
