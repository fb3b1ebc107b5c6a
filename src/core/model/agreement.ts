import { z } from 'zod';
import { runDifferenceSchema } from './run-comparison.ts';
import { comparisonSchema, summarySchema } from './summary.ts';

/**
 * What a second measurement says of a comparison of the first. `agrees`: both are decided, the same way, and each estimate
 * lies in the interval of the other. `agrees in direction`: decided the same way, the sizes apart. `differs`: decided in
 * different ways. `not decided`: one of the two at least is not.
 */
export const agreementKindSchema = z.enum(['agrees', 'agrees in direction', 'differs', 'not decided']);
export type AgreementKind = z.infer<typeof agreementKindSchema>;

/** What a run says of a comparison, as far as words are made of it. */
export const measuredSchema = comparisonSchema
  .pick({ unit: true, higherIsBetter: true, blocks: true, verdict: true, margin: true })
  .extend(comparisonSchema.pick({ ratio: true, ratioInterval: true, intervalLevel: true }).shape)
  .extend(comparisonSchema.pick({ difference: true, differenceInterval: true }).shape)
  .extend(comparisonSchema.pick({ pValue: true, adjustedPValue: true }).shape);

export const agreementRowSchema = comparisonSchema
  .pick({ workload: true, client: true, network: true, server: true, metric: true, primary: true })
  .extend({
    /** Labels of the arms, baseline first. */
    arms: z.tuple([z.string(), z.string()]),
    original: measuredSchema,
    again: measuredSchema,
    /** Whether each estimate lies in the interval of the other; null where one has none. */
    sizesAgree: z.boolean().nullable(),
    agreement: agreementKindSchema,
  });
export type AgreementRow = z.infer<typeof agreementRowSchema>;

/** `agreement.json`: a run that was packed against the same plan, measured again here. */
export const agreementSchema = z.object({
  schemaVersion: z.literal(1),
  /** What differs between the machines and programs of the two runs. */
  differences: z.array(runDifferenceSchema),
  trials: z.object({ original: summarySchema.shape.trials, again: summarySchema.shape.trials }),
  rows: z.array(agreementRowSchema),
  /** Comparisons that one of the runs alone has. */
  unmatched: z.number().int(),
});
export type Agreement = z.infer<typeof agreementSchema>;
