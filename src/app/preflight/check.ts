import { H2h3Error, type ErrorCode, type ErrorContext } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { Facts } from './facts.ts';

/** Something that keeps a plan, or some of its trials, from being measured. */
export interface Blocker {
  /** What cannot be, a sentence without its full stop. */
  readonly reason: string;
  /** What to do about it, sentences or commands. */
  readonly next?: string | undefined;
  readonly context?: ErrorContext | undefined;
  /** The user asked for what cannot be (`usage`, `bad-input`), this machine lacks something, or what was tried failed. */
  readonly code: Exclude<ErrorCode, 'interrupted' | 'internal'>;
  /** The trials that cannot be measured, by id; an empty list is a mere warning. Absent: the plan does not begin. */
  readonly trialIds?: readonly string[] | undefined;
  /** The plan has a secret written in it: nothing of it is shown. */
  readonly holdsSecret?: true;
}

/** One thing that must hold before trials begin. One entry in `checks.ts` each. */
export interface Check {
  readonly id: string;
  /** What it must know besides the plan; it is judged as soon as all of that is known. */
  readonly needs: readonly (keyof Facts)[];
  /** Pure over plan and facts, but for files that the plan names. */
  readonly judge: (plan: Plan, facts: Partial<Facts>) => readonly Blocker[] | Promise<readonly Blocker[]>;
}

/** A check whose judge is given the facts that it names, all of them known. */
export function check<Need extends keyof Facts>(
  id: string,
  needs: readonly Need[],
  judge: (plan: Plan, facts: Pick<Facts, Need>) => readonly Blocker[] | Promise<readonly Blocker[]>,
): Check {
  return { id, needs, judge: (plan, facts) => judge(plan, facts as Pick<Facts, Need>) };
}

/** What was thrown as a blocker. @throws what is none: an interruption, a fault of h2h3 itself */
export function blockerOf(thrown: unknown): Blocker {
  if (!(thrown instanceof H2h3Error)) throw thrown;
  const { message: reason, next, context, code } = thrown;
  if (code === 'interrupted' || code === 'internal') throw thrown;
  return { reason, next, context, code };
}

/** None, or the one that was thrown. */
export async function blockersIn(work: () => unknown): Promise<readonly Blocker[]> {
  try {
    await work();
    return [];
  } catch (thrown) {
    return [blockerOf(thrown)];
  }
}
