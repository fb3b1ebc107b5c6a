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
  /** What is run; of scales that run other sizes or conditions, each has its own. */
  title: textByScaleSchema,
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

export const experimentResultSchema = experimentSchema
  .omit({ figures: true, differs: true, title: true })
  .extend({
    title: z.string(),
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
        machineParts: true,
        rawRates: true,
        setUp: true,
      })
      .extend({
        /** Folder of the run below the page's; absent where only its summary is kept. */
        path: z.string().optional(),
        /** Its claims were judged by an older rule when it was kept. */
        olderRule: z.literal(true).optional(),
        /** Titles of networks by id, where they are known. */
        networks: z.record(z.string(), z.string()).optional(),
      })
      .optional(),
    /**
     * Runs of the whole experiment that are kept, the oldest first, the one that is shown last; after them those that do not count, with
     * the reason. Absent in older pages.
     */
    campaigns: z
      .array(
        z.object({
          startedAt: z.string().nullable(),
          revision: z.string().nullable(),
          trialsOk: z.number(),
          trialsDone: z.number(),
          why: z.string().optional(),
        }),
      )
      .optional(),
    results: z.array(publishedResultSchema),
    figures: z.array(studyFigureSchema),
  });
export type ExperimentResult = z.infer<typeof experimentResultSchema>;

/** A study in one line: what it asks, by which of its claims that is answered, and which figure shows it. */
export const studyLeadSchema = z.object({
  study: z.string(),
  question: z.string(),
  /** Id of the experiment of the claim, and what that compares. */
  claim: z.object({ id: z.string(), experiment: z.string() }),
  /** Id of the experiment of the figure, and its place in the study. */
  figure: z.object({ id: z.string(), place: z.string() }),
});
export type StudyLead = z.infer<typeof studyLeadSchema>;

/** All experiments of the studies, with what was published and what was measured here. */
export const studiesSchema = z.object({
  schemaVersion: z.literal(1),
  /** Revision of most of the runs; null without any. */
  revision: z.string().nullable(),
  /** Absent in older pages. */
  leads: z.array(studyLeadSchema).optional(),
  experiments: z.array(experimentResultSchema),
});
export type Studies = z.infer<typeof studiesSchema>;
