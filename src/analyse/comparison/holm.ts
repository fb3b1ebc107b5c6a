import type { TestName } from '../../core/model/summary.ts';

export interface FamilyMember {
  /** Null where no test is possible; it does not count then. */
  readonly p: number | null;
  readonly test: TestName;
}

export interface HolmStep {
  /** On the scale of the family's level: rejected when below it. Null where p is. */
  readonly adjusted: number | null;
  /** The level of the step at which it was decided, or at which the family came to its end. */
  readonly level: number;
}

/**
 * Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979) with a level for each share of the error: alpha
 * ÷ m for a single judgement. At an interim analysis of a sequential run the level is what the spending leaves of that share, recomputed
 * with every rejection (Maurer & Bretz, Statistics in Biopharmaceutical Research 5, 2013).
 */
export function holmSteps(
  members: readonly FamilyMember[],
  alpha: number,
  levelOf: (alpha: number, test: TestName) => number,
): HolmStep[] {
  const open = new Set(members.flatMap(({ p }, index) => (p === null ? [] : [index])));
  const steps: HolmStep[] = members.map(({ test }) => ({ adjusted: null, level: levelOf(alpha, test) }));
  let reached = 0;
  let share = alpha / Math.max(1, open.size);
  while (open.size > 0) {
    const scaled = (index: number): number => {
      const { p, test } = members[index] as FamilyMember;
      const level = levelOf(alpha / open.size, test);
      return p === 0 ? 0 : level === 0 ? Infinity : ((p as number) * alpha) / level;
    };
    const next = [...open].reduce((best, index) => (scaled(index) < scaled(best) ? index : best));
    // Once a member is kept, all that follow are kept with it, at the same step.
    if (reached < alpha) share = alpha / open.size;
    reached = Math.max(reached, Math.min(1, scaled(next)));
    steps[next] = { adjusted: reached, level: levelOf(share, (members[next] as FamilyMember).test) };
    open.delete(next);
  }
  return steps;
}
