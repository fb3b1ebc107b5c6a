import { z } from 'zod';
import { publishedResultSchema, textByScaleSchema } from './published.ts';
import { figureSpecSchema, studyFigureSchema } from './study-figure.ts';
import { studyRunSchema } from './study-run.ts';

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
  /** In what the set-up differs from the study's, as far as it may turn a result, at the scale that was run. */
  differs: textByScaleSchema.optional(),
  /** What the study has there and this project cannot measure, a line each. */
  missing: z.array(z.string()).optional(),
  /** Figures of the study, drawn again. */
  figures: z.array(figureSpecSchema).default([]),
});
export type Experiment = z.infer<typeof experimentSchema>;

export const experimentResultSchema = experimentSchema.omit({ figures: true, differs: true }).extend({
  /** At the scale that was run, or at the quick one. */
  differs: z.string().optional(),
  /** The newest run of it that was found; absent: none. */
  run: studyRunSchema
    .pick({
      scale: true,
      revision: true,
      startedAt: true,
      trialsOk: true,
      trialsPlanned: true,
      trialsDone: true,
      lostByArm: true,
      exploratory: true,
      timed: true,
      disturbances: true,
      blocks: true,
      clients: true,
      rawRates: true,
    })
    .extend({
      /** Folder of the run below the page's; absent where only its summary is kept. */
      path: z.string().optional(),
      /** Titles of networks by id, where they are known. */
      networks: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  results: z.array(publishedResultSchema),
  figures: z.array(studyFigureSchema),
});
export type ExperimentResult = z.infer<typeof experimentResultSchema>;

/** All experiments of the studies, with what was published and what was measured here. */
export const studiesSchema = z.object({
  schemaVersion: z.literal(1),
  /** Revision of most of the runs; null without any. */
  revision: z.string().nullable(),
  experiments: z.array(experimentResultSchema),
});
export type Studies = z.infer<typeof studiesSchema>;
