import { z } from 'zod';

/** One page of the run for the plot of its corpus (objects against size, as Zhang et al. 2024, Fig. 10). */
export const corpusPageSchema = z.object({
  workload: z.string(),
  title: z.string(),
  /** Median over the valid trials of all arms; where none is valid, what is known beforehand; null unknown. */
  objectCount: z.number().nullable(),
  wireBytes: z.number().nullable(),
  hostCount: z.number().nullable(),
  /** Only measured: null where no browser of the run says it. */
  tbtMs: z.number().nullable().optional(),
  /** Objects by type, as known beforehand. */
  types: z.record(z.string(), z.number()).optional(),
  /** Whether the figures come from trials of this run. */
  measured: z.boolean(),
});
export type CorpusPage = z.infer<typeof corpusPageSchema>;

/** One figure of the pages of a run next to what is published of real pages: the value that each share of pages is below. */
export const realPagesFigureSchema = z.object({
  figure: z.enum(['objectCount', 'wireBytes', 'hostCount', 'tbtMs']),
  /** Pages of which it is known. */
  pages: z.number(),
  /** Where the published values come from. */
  source: z.string(),
  spread: z.array(
    z.object({ share: z.number(), ours: z.number().nullable(), published: z.number().nullable() }),
  ),
});
export type RealPagesFigure = z.infer<typeof realPagesFigureSchema>;
