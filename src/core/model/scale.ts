import { z } from 'zod';

/** How much of a study is run: `quick` shows its direction, `paper` is as it was published. */
export const scaleNames = ['quick', 'standard', 'paper'] as const;
export const scaleSchema = z.enum(scaleNames);
export type ScaleName = z.infer<typeof scaleSchema>;
