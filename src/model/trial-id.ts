import { z } from 'zod';

/** A trial's id is the name of its folder, so it is one plain file name and leads nowhere else. */
export const trialIdSchema = z
  .string()
  .max(200)
  .regex(/^\w[\w.-]*$/, 'is the name of a folder: letters, digits, ".", "_" and "-", no path');
