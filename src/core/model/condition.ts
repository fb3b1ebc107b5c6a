import { z } from 'zod';

/** What names a condition in every document. */
export const conditionFields = {
  workload: z.string(),
  client: z.string(),
  network: z.string(),
  server: z.string(),
};
