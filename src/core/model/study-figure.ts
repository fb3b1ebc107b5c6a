import { z } from 'zod';
import { textByScaleSchema } from './published.ts';

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]);

/** Which cells of a run a point or a series is of; of several names the first that the run has. */
export const figureCellSchema = z.strictObject({
  name: z.string(),
  arm: oneOrMore.optional(),
  workload: oneOrMore.optional(),
  network: oneOrMore.optional(),
  client: oneOrMore.optional(),
  server: oneOrMore.optional(),
  metric: z.string().optional(),
});
export type FigureCell = z.infer<typeof figureCellSchema>;

/** A figure of a study, to be drawn again. */
export const figureSpecSchema = z.strictObject({
  /** What it shows, as a title. */
  title: z.string(),
  /** Its number in the study. */
  place: z.string(),
  /**
   * `points`: medians and intervals over named places. `ratios`: candidate over baseline, each workload one value, as a
   * distribution. `values`: all values of a series as a distribution. `classes`: shares of loads in classes. `heat`: changes
   * over two axes. `states`: the states of the server's congestion control and how often it went from one to another.
   */
  kind: z.enum(['points', 'ratios', 'values', 'classes', 'heat', 'states']).default('points'),
  metric: z.string(),
  /** Divides values: 1000 shows ms as s. */
  per: z.number().positive().default(1),
  /** Title of the vertical axis with its unit. */
  yTitle: z.string(),
  log: z.boolean().optional(),
  xTitle: z.string().optional(),
  x: z.array(figureCellSchema).default([]),
  /** Rows of a heat map. */
  rows: z.array(figureCellSchema).default([]),
  series: z.array(figureCellSchema).min(1),
  /** Upper ends of classes, ascending, each with its name; the last has none. */
  classes: z.array(z.strictObject({ name: z.string(), atMost: z.number().optional() })).default([]),
  /** Values that the text of the study has, by names of series and place. */
  published: z
    .array(
      z.strictObject({
        series: z.string(),
        x: z.string(),
        value: z.union([z.number(), z.tuple([z.number(), z.number()])]),
      }),
    )
    .default([]),
  /** Sizes of which the published values and ours are, where they differ: both then have a panel of their own. */
  sizes: z.strictObject({ study: z.string(), here: textByScaleSchema }).optional(),
  /** What the study shows there, in a sentence. */
  shows: z.string(),
});
export type FigureSpec = z.infer<typeof figureSpecSchema>;

const point = z.object({
  x: z.string(),
  value: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
});

/** A figure with what was measured here. */
export const studyFigureSchema = figureSpecSchema
  .pick({
    title: true,
    place: true,
    kind: true,
    yTitle: true,
    log: true,
    xTitle: true,
    shows: true,
  })
  .extend({
    /** All that it shows: its own, and those of series and places. */
    metrics: z.array(z.string()),
    /** What the panels of published values and of ours are of; absent: they share one. */
    panels: z.object({ study: z.string(), here: z.string() }).optional(),
    /** Names of places along the horizontal axis, and of rows. */
    x: z.array(z.string()),
    rows: z.array(z.string()),
    series: z.array(
      z.object({
        name: z.string(),
        published: z.array(z.object({ x: z.string(), low: z.number(), high: z.number() })),
        /** Medians with intervals of 95 %. */
        points: z.array(point),
        /** Of distributions: all values, ascending. */
        values: z.array(z.number()),
      }),
    ),
    /** Cells of a heat map: change in percent; null where it is not significant. */
    cells: z.array(z.object({ x: z.string(), row: z.string(), percent: z.number().nullable() })),
    /** Shares of loads by bar and class. */
    shares: z.array(z.object({ bar: z.string(), name: z.string(), share: z.number() })),
    transitions: z.array(z.object({ from: z.string(), to: z.string(), count: z.number() })),
  });
export type StudyFigure = z.infer<typeof studyFigureSchema>;

/** Whether there is anything of ours in it. */
export function isMeasured({ series, cells, shares, transitions }: StudyFigure): boolean {
  return (
    cells.length + shares.length + transitions.length > 0 ||
    series.some(({ points, values }) => points.length + values.length > 0)
  );
}
