import { z } from 'zod';
import { armSpreadSchema } from './arm-spread.ts';
import { messageSampleSchema } from './metrics.ts';

/** The times of all messages of an arm in one condition, and those of one trial in the order of sending. */
export const messageSpreadSchema = armSpreadSchema.extend({
  sent: z.number(),
  lost: z.number(),
  /** Those that waited behind another. */
  behind: z.number(),
  samples: z.array(messageSampleSchema),
});
export type MessageSpread = z.infer<typeof messageSpreadSchema>;
