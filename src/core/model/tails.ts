import { z } from 'zod';
import { conditionFields } from './condition.ts';
import { intervalSchema } from './interval.ts';
import { workloadKindSchema } from './workload.ts';

/** A quantile of one arm's loads. */
export const tailQuantileSchema = z.object({
  /** 0.75 and 0.95; of metrics of which more is better 0.25 and 0.05. */
  quantile: z.number(),
  /** Null where there are too few loads for the interval. */
  value: z.number().nullable(),
  /** 95 % by order statistics. */
  interval: intervalSchema,
});
export type TailQuantile = z.infer<typeof tailQuantileSchema>;

export const armTailSchema = z.object({
  arm: z.string(),
  /** Loads of all blocks. */
  n: z.number(),
  quantiles: z.array(tailQuantileSchema),
});

/** The slow end of one condition: the primary metric of two arms, all loads of all timed blocks, and whether they vary alike. */
export const tailSchema = z.object({
  ...conditionFields,
  workloadKind: workloadKindSchema,
  metric: z.string(),
  unit: z.string(),
  higherIsBetter: z.boolean(),
  baseline: armTailSchema,
  candidate: armTailSchema,
  /** Null below six blocks with both arms. */
  spread: z
    .object({
      /** Mean absolute deviation from the median, candidate ÷ baseline; of logarithms where the metric is compared by ratio. */
      ratio: z.number().nullable(),
      pValue: z.number(),
      /** Holm over all conditions and pairs of arms. */
      adjustedPValue: z.number(),
    })
    .nullable(),
});
export type Tail = z.infer<typeof tailSchema>;
