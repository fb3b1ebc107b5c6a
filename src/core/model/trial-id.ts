import { z } from 'zod';

/**
 * A name of one file or folder that leads nowhere else: no separator, no `.` or `..`, nothing that a terminal or a file
 * system would take for something else.
 */
const plainFileName = /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u;

export const plainFileNameSchema = z.string().max(250).regex(plainFileName, 'is a plain file name, no path');

/** A trial's id is the name of its folder. */
export const trialIdSchema = plainFileNameSchema;
