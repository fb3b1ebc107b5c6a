import { z } from 'zod';
import { H2h3Error } from '../../src/core/model/errors.ts';

/** Why one of several things that were asked for cannot be had, as the other machine says it. */
export const toldFaultSchema = z.strictObject({
  code: z.enum(['usage', 'bad-input', 'unsupported', 'process-failed', 'deadline', 'storage']),
  reason: z.string().max(20_000),
  next: z.string().max(20_000).optional(),
});
export type ToldFault = z.infer<typeof toldFaultSchema>;

/** An error as a fault of one thing. @throws `thrown` itself where it is of none: an interruption, or a fault of h2h3 */
export function toldFault(thrown: unknown): ToldFault {
  if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted' || thrown.code === 'internal')
    throw thrown;
  const { code, message: reason, next } = thrown;
  return { code, reason, ...(next === undefined ? {} : { next }) };
}
