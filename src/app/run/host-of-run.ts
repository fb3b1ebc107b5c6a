import { hostname } from 'node:os';
import type { Environment } from '../../core/model/environment.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';

/**
 * What the records of a run call its machine: the name given, or the system's. A run keeps the name with which it began,
 * because a container is called otherwise each time.
 *
 * @throws H2h3Error `bad-input` for a shard that goes on under another name: its leases must lie on one host
 */
export function hostOfRun(
  { shard }: Pick<Plan, 'shard'>,
  earlier: Pick<Environment, 'host'> | null,
  given: string | undefined,
): string {
  const here = given ?? hostname();
  if (here.trim() === '') throw new H2h3Error('usage', '--host wants a name');
  const before = earlier?.host;
  if (before === undefined || before === here) return here;
  if (shard === undefined && given === undefined) return before;
  throw new H2h3Error('bad-input', `this run began on the host "${before}", and this one is "${here}"`, {
    next: `Resume it there. If this is the same machine under another name, add --host ${before}.`,
  });
}
