import { z } from 'zod';

/** Both ends of an interval; null where none can be given. */
export const intervalSchema = z.tuple([z.number(), z.number()]).nullable();
