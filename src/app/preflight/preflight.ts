import { armPairs } from '../../analyse/comparison/arm-pairs.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { ownPart } from '../../core/model/lease.ts';
import type { Plan } from '../../core/model/plan.ts';
import { plural } from '../words.ts';
import type { Blocker } from './check.ts';
import { checks } from './checks.ts';
import type { Facts } from './facts.ts';

/** What the checks say of a plan. */
export interface Judged {
  /** Everything that was found, also before. */
  readonly blockers: readonly Blocker[];
  /** Of them what keeps the plan from beginning; empty where it may. */
  readonly refusals: readonly Blocker[];
  /** A sentence for each that was found now and lets the plan begin. */
  readonly warnings: readonly string[];
}

export interface JudgeOptions {
  /** Facts that have become known: only checks that need one of them are judged. Default: all. */
  readonly fresh?: readonly (keyof Facts)[];
  /** What was found before and let the plan begin. */
  readonly before?: readonly Blocker[];
}

/** Judges every check whose facts are known, in their order. */
export async function judgePlan(
  plan: Plan,
  facts: Partial<Facts>,
  { fresh, before = [] }: JudgeOptions = {},
): Promise<Judged> {
  const found: Blocker[] = [];
  for (const { needs, judge } of checks) {
    const isKnown = needs.every((need) => facts[need] !== undefined);
    const isFresh = fresh === undefined || needs.some((need) => fresh.includes(need));
    if (isKnown && isFresh) found.push(...eachOnce(await judge(plan, facts)));
  }
  const blockers = [...before, ...found];
  const refusals = refusalsAmong(plan, blockers);
  return {
    blockers,
    refusals,
    warnings: found.filter((blocker) => !refusals.includes(blocker)).map(warningOf),
  };
}

/** What several trials or paths have in common is said once. */
function eachOnce(blockers: readonly Blocker[]): Blocker[] {
  return [...Map.groupBy(blockers, ({ reason, next }) => `${reason}\n${next ?? ''}`).values()].flatMap(
    ([first, ...others]) => {
      if (first?.trialIds === undefined) return first ?? [];
      const trialIds = [first, ...others].flatMap((blocker) => blocker.trialIds ?? []);
      return { ...first, trialIds: [...new Set(trialIds)] };
    },
  );
}

/** Blockers of the whole plan; and those of trials, where not one pair of arms is left that can be compared. */
function refusalsAmong(plan: Plan, blockers: readonly Blocker[]): Blocker[] {
  const doomed = !canCompare(plan, blockers);
  return blockers.filter(({ trialIds }) => trialIds === undefined || (doomed && trialIds.length > 0));
}

function canCompare(plan: Plan, blockers: readonly Blocker[]): boolean {
  const lost = new Set(blockers.flatMap(({ trialIds = [] }) => trialIds));
  if (lost.size === 0) return true;
  const armsLeft = new Map<string, Set<string>>();
  for (const { trialId, conditionId, arm } of ownPart(plan).trials)
    if (!lost.has(trialId)) armsLeft.set(conditionId, (armsLeft.get(conditionId) ?? new Set()).add(arm));
  const pairs = armPairs(plan);
  if (pairs.length === 0) return armsLeft.size > 0;
  return [...armsLeft.values()].some((arms) =>
    pairs.some(({ baseline, candidate }) => arms.has(baseline.label) && arms.has(candidate.label)),
  );
}

function warningOf({ reason, next, trialIds = [] }: Blocker): string {
  const cost = trialIds.length === 0 ? '' : `: ${plural(trialIds.length, 'trial')} unsupported`;
  return `${reason}${cost}${next === undefined || next === '' ? '' : `. ${next}`}`;
}

const noPair = 'nothing to compare: ';

/** Says why a plan does not begin, every reason with its next step. @throws H2h3Error where there is one */
export function throwRefusals({ refusals }: Judged): void {
  const error = errorOf(refusals);
  if (error !== null) throw error;
}

/** All refusals as one error; null where there is none. */
export function errorOf(refusals: readonly Blocker[]): H2h3Error | null {
  const [first] = refusals;
  if (first === undefined) return null;
  const prefix = refusals.every(({ trialIds }) => trialIds !== undefined) ? noPair : '';
  // What the user can mend by other words comes before what the machine lacks.
  const code = refusals.find((refusal) => refusal.code === 'usage')?.code ?? first.code;
  if (refusals.length === 1) {
    const { reason, next, context } = first;
    return new H2h3Error(code, `${prefix}${reason}`, {
      ...(context === undefined ? {} : { context }),
      ...(next === undefined ? {} : { next }),
    });
  }
  const lines = refusals.map(({ reason, next, context = {} }, index) => {
    const expected = context.expected === undefined ? '' : `\n     expected: ${context.expected}`;
    return `  ${index + 1}. ${reason}${expected}${next === undefined || next === '' ? '' : `\n     next: ${next}`}`;
  });
  const head = prefix === '' ? `${refusals.length} things keep this plan from beginning:` : noPair.trimEnd();
  return new H2h3Error(code, `${head}\n${lines.join('\n')}`);
}
