import { z } from 'zod';

/** One result of a study that a plan runs again: what was published, and where it belongs in this run. */
export const publishedFigureSchema = z.strictObject({
  /** Authors, venue and year. */
  study: z.string(),
  /** What was done, in a few words. */
  experiment: z.string(),
  /** The metric of this project that stands for it. */
  metric: z.string(),
  /** Workloads and networks of the plan that re-run it; left out: all of them. */
  workloads: z.array(z.string()).optional(),
  networks: z.array(z.string()).optional(),
  /** Clients that it is of, whatever their version, and the arms that are compared; left out: all of them. */
  clients: z.array(z.string()).optional(),
  compare: z.tuple([z.string(), z.string()]).optional(),
  /** The published result in words, with its unit. */
  figure: z.string(),
  /** The verdict on the candidate that would repeat it, where the study's result has a direction. */
  expects: z.enum(['better', 'worse', 'equivalent']).optional(),
  /** The machines, network and software it was measured with. */
  machine: z.string(),
  /** Where in the study it stands: section, figure or table. */
  source: z.string(),
});
export type PublishedFigure = z.infer<typeof publishedFigureSchema>;
