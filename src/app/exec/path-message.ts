import { z } from 'zod';
import { linkFiguresSchema } from '../../core/model/schedule.ts';

/** The first line that a program writes to `h2h3 serve-path`: which path it wants. */
export const pathOrderSchema = z.strictObject({
  /** Null: one by its figures. */
  network: z.string().nullable().default(null),
  /** Figures as typed (`OwnNetwork`). */
  own: z
    .strictObject({
      down: z.string().exactOptional(),
      up: z.string().exactOptional(),
      rtt: z.string().exactOptional(),
      loss: z.string().exactOptional(),
      schedule: z.string().exactOptional(),
    })
    .default({}),
  /** `FACTOR=VALUE` each. */
  set: z.array(z.string()).default([]),
  localPorts: z.array(z.number().int().min(1).max(65_535)).default([]),
  /** Whether something must listen at them already. */
  listenersRequired: z.boolean().default(false),
  check: z.boolean().default(false),
});

/** As programs write it: what is left out has its default. */
export type PathOrder = z.input<typeof pathOrderSchema>;

export const countQuestionSchema = z.strictObject({ type: z.literal('count') });

/** Sets figures of both directions from now on; what is left out is the network's own. */
export const changeQuestionSchema = z.strictObject({
  type: z.literal('change'),
  figures: linkFiguresSchema,
});

/** Each further line. */
export const pathQuestionSchema = z.discriminatedUnion('type', [
  /** Puts a program behind the path: answers with one that starts it there. */
  z.strictObject({ type: z.literal('wrap'), program: z.string() }),
  /** Begins what varies with time, and flows. */
  z.strictObject({ type: z.literal('begin'), seed: z.number().int() }),
  countQuestionSchema,
  changeQuestionSchema,
]);
export type PathQuestion = z.infer<typeof pathQuestionSchema>;
