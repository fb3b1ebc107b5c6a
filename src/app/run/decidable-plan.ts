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
    next:
      plan.looks === undefined
        ? `Use --repetitions ${fewest}, name fewer conditions, or say --exploratory.`
        : `Leave the looks out, or let the last be after ${fewest} blocks or more, or name fewer conditions.`,
  });
}
