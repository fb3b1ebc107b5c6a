import { primaryFamilies } from '../../analyse/decidability.ts';
import { H2h3Error } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';

/** @throws H2h3Error `usage` for a plan whose outcome is known beforehand: inconclusive. */
export function requireDecidable(plan: Plan): void {
  if (plan.exploratory) return;
  const hopeless = primaryFamilies(plan).filter(({ canDecide }) => !canDecide);
  if (hopeless.length === 0) return;
  const lines = hopeless.map(
    ({ kind, metric, comparisons, smallestAdjustedPValue, fewestBlocks }) =>
      `${kind}: ${comparisons} primary comparison(s) of ${metric} with ${plan.repetitions} blocks reach p = ${smallestAdjustedPValue.toPrecision(2)} at best; ${fewestBlocks} blocks are needed`,
  );
  const fewest = Math.max(...hopeless.map(({ fewestBlocks }) => fewestBlocks));
  throw new H2h3Error('usage', `this plan could never decide\n  ${lines.join('\n  ')}`, {
    // A gate has no --repetitions: its looks say how many blocks there are.
    next: `Use --repetitions ${fewest} (of a gate: --looks that go on to ${fewest} or more), name fewer conditions, or say --exploratory.`,
  });
}
