import { z } from 'zod';
import { publishedResultSchema } from './summary.ts';

/** One of the experiments of the studies that this project runs again. */
export const experimentSchema = z.object({
  id: z.string(),
  /** Of the preset that runs it. */
  preset: z.string(),
  study: z.string(),
  place: z.string(),
  title: z.string(),
  /** What it needs besides this machine; absent: nothing. */
  needs: z.string().optional(),
  /** Of research after the four studies: what is asked. Such an experiment stands in a part of its own. */
  question: z.string().optional(),
  /** In what the quick scale's set-up differs from the study's, as far as it may turn a result. */
  differs: z.string().optional(),
});
export type Experiment = z.infer<typeof experimentSchema>;

/** Whether what was measured here has the direction of what was published. */
export const agreementSchema = z.enum([
  'same',
  'same, small',
  'other',
  'partly',
  'undecided',
  'no direction',
  'not measured',
]);
export type Agreement = z.infer<typeof agreementSchema>;

export const experimentResultSchema = experimentSchema.extend({
  /** The newest run of it that was found; absent: none. */
  run: z
    .object({
      path: z.string(),
      startedAt: z.string().nullable(),
      trialsOk: z.number(),
      /** Of its whole plan. */
      trialsPlanned: z.number(),
      /** That have a record; fewer than planned: the run is to be gone on with. */
      trialsDone: z.number(),
      /** It was told to run though it could not decide. */
      exploratory: z.boolean(),
      /** What else the machine was busy with, as its run found it. */
      disturbances: z.array(z.string()),
      blocks: z.number(),
      /** Names and versions. */
      clients: z.array(z.string()),
    })
    .optional(),
  figures: z.array(publishedResultSchema.extend({ agreement: agreementSchema })),
});
export type ExperimentResult = z.infer<typeof experimentResultSchema>;

/** A direction that whatever runs the studies again should show. */
export const studySignSchema = z.object({
  /** What it says. */
  words: z.string(),
  agreement: agreementSchema,
  /** The comparisons that it rests on. */
  evidence: z.array(
    z.object({
      workload: z.string(),
      client: z.string(),
      network: z.string(),
      /** Labels of the arms, and the candidate's value over the baseline's. */
      baseline: z.string(),
      candidate: z.string(),
      ratio: z.number(),
      ratioInterval: z.tuple([z.number(), z.number()]).nullable(),
    }),
  ),
});
export type StudySign = z.infer<typeof studySignSchema>;

/** All experiments of the studies, with what was published and what was measured here. */
export const studiesSchema = z.object({
  schemaVersion: z.literal(1),
  signs: z.array(studySignSchema),
  experiments: z.array(experimentResultSchema),
});
export type Studies = z.infer<typeof studiesSchema>;
