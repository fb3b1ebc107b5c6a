import { z } from 'zod';
import { workloadKindSchema } from './workload.ts';

/** `hint`: the plan may not confirm anything; `noise`: both arms are the same. */
export const surenessSchema = z.enum(['sure', 'hint', 'open', 'noise']);
export type Sureness = z.infer<typeof surenessSchema>;

/**
 * `do`: take the candidate; `do-not`: stay with the baseline; `either`: it does not matter; `by-workload`: some gain, some
 * lose; `measure-more`: nothing to act on yet; `measure-network`: there was no network, so no user is meant; `measure-harder`: nothing
 * was at risk, so the protocols could not differ.
 */
export const answerActionSchema = z.enum([
  'do',
  'do-not',
  'either',
  'by-workload',
  'measure-more',
  'measure-network',
  'measure-harder',
  'none',
]);
export type AnswerAction = z.infer<typeof answerActionSchema>;

/** What one audience on one network gets, in a sentence that can be acted on. */
export const answerSchema = z.object({
  kind: workloadKindSchema,
  network: z.string(),
  server: z.string(),
  baselineArm: z.string(),
  candidateArm: z.string(),
  /** Whether anything was set on this network. */
  shaped: z.boolean(),
  /** In units that a user feels, with how sure it is. */
  sentence: z.string(),
  sureness: surenessSchema,
  action: answerActionSchema,
  /** What to do, in a sentence. */
  advice: z.string(),
  /** What the next measurement takes on this machine, minutes from and to; null where none is advised or it is not known. */
  minutes: z.tuple([z.number(), z.number()]).nullable(),
  /** What to run for it. */
  command: z.string().nullable(),
  /** What costs less, where that takes far longer than this run did; absent elsewhere. */
  cheaper: z.string().optional(),
  /** What happened to one arm only and may be the cause. */
  asides: z.array(z.string()),
  /** The primary comparisons it rests on: places in the summary's list, the most telling first. */
  comparisons: z.array(z.number().int().nonnegative()),
});
export type Answer = z.infer<typeof answerSchema>;
