import { differingFactors, differOnlyIn, factorNames, type FactorName } from '../../core/factors/registry.ts';
import { armsAsRun } from '../../core/factors/arms-as-run.ts';
import { type Arm, type Plan } from '../../core/model/plan.ts';

/** Two arms to compare; verdicts speak of the candidate. */
export interface ArmPair {
  readonly baseline: Arm;
  readonly candidate: Arm;
  /** Whether this pair's primary metric belongs to the primary family. */
  readonly primary: boolean;
  /** Both arms ask for the same thing, so that any difference is noise (A/A). */
  readonly identical: boolean;
}

/** [old × first, old × second, new × first, new × second] of the two factors that vary, `rows` and `columns`. */
export type TwoByTwo = readonly [Arm, Arm, Arm, Arm];

const sameRequest = (a: Arm, b: Arm): boolean => differingFactors(a.factors, b.factors).length === 0;

/** The same but for what was injected into one of them from outside, which is nothing that is compared. */
const sameBeforeFaults = (a: Arm, b: Arm): boolean =>
  differingFactors(a.factors, b.factors).every((name) => name === 'fault');

/** Two requests, each made twice: the second pair stands for a candidate that changed nothing. */
function repeatedSquare(arms: readonly Arm[]): TwoByTwo | null {
  if (arms.length !== 4) return null;
  const groups: Arm[][] = [];
  for (const arm of arms) {
    const group = groups.find(([first]) => first !== undefined && sameBeforeFaults(first, arm));
    if (group === undefined) groups.push([arm]);
    else group.push(arm);
  }
  const [[a, c] = [], [b, d] = []] = groups;
  if (groups.length !== 2 || !a || !b || !c || !d) return null;
  return differOnlyIn('protocol', a.factors, b.factors) ? [a, b, c, d] : null;
}

/** By which arms take the same value of a factor and which take others: factors that change together look alike. */
function partition(arms: readonly Arm[], name: FactorName): string {
  const values = [...new Set(arms.map(({ factors }) => factors[name]))];
  return arms.map(({ factors }) => values.indexOf(factors[name])).join();
}

/**
 * The two things that four arms vary, the one that is asked about first: protocols are always the columns. Factors that change
 * together are one thing, such as a version and the fault that was injected into it; one of them stands for all.
 */
function variedFactors(arms: readonly Arm[]): readonly [rows: FactorName, columns: FactorName] | null {
  const [first, second] = arms;
  if (arms.length !== 4 || first === undefined || second === undefined) return null;
  const varied = factorNames.filter((name) => new Set(arms.map(({ factors }) => factors[name])).size > 1);
  const together = [...Map.groupBy(varied, (name) => partition(arms, name)).values()];
  // A fault in one arm alone varies by itself, and is no third thing that is asked about.
  const asked = together.length > 2 ? together.filter((names) => names.join() !== 'fault') : together;
  const [a, b] = asked;
  if (a?.[0] === undefined || b?.[0] === undefined || asked.length !== 2) return null;
  if (a.includes('protocol')) return [b[0], a[0]];
  if (b.includes('protocol')) return [a[0], b[0]];
  // As written the faster changing factor comes last, like the digits of a number.
  const fast = differingFactors(first.factors, second.factors);
  return fast.includes(a[0]) ? [b[0], a[0]] : [a[0], b[0]];
}

/**
 * The four arms of a plan that crosses two factors, in canonical order, or null for any other set of arms. Two
 * protocols, each twice, are such a plan of one thing against itself (A/A).
 */
export function twoByTwo(arms: readonly Arm[]): TwoByTwo | null {
  return crossed(arms) ?? repeatedSquare(arms);
}

/** Two factors of which each value of the one goes with each of the other. */
function crossed(arms: readonly Arm[]): TwoByTwo | null {
  const varied = variedFactors(arms);
  if (varied === null) return null;
  const [rows, columns] = varied.map((name) => [...new Set(arms.map(({ factors }) => factors[name]))]);
  if (rows?.length !== 2 || columns?.length !== 2) return null;
  const [row, column] = varied;
  const cells = rows.flatMap((crossRow) =>
    columns.flatMap(
      (other) => arms.find(({ factors }) => factors[row] === crossRow && factors[column] === other) ?? [],
    ),
  );
  const [a, b, c, d] = cells;
  return a && b && c && d ? [a, b, c, d] : null;
}

/** The pairs that a plan names itself: all of them primary. Pairs of arms that it does not have are none. */
function namedPairs(arms: readonly Arm[], compare: readonly (readonly [string, string])[]): ArmPair[] {
  const byLabel = new Map(arms.map((arm) => [arm.label, arm]));
  return compare.flatMap(([first, second]) => {
    const baseline = byLabel.get(first);
    const candidate = byLabel.get(second);
    if (baseline === undefined || candidate === undefined) return [];
    return [{ baseline, candidate, primary: true, identical: sameRequest(baseline, candidate) }];
  });
}

/**
 * Which arms are compared: the pairs that the plan names. Else, of two arms: second against first. More: each against the
 * first. Two factors crossed, such as two versions by two protocols: the versions within each protocol are primary (what a
 * gate asks), the protocols within each version secondary.
 */
export function armPairs(plan: Pick<Plan, 'arms' | 'compare' | 'trials'>): ArmPair[] {
  // What an arm leaves open counts as what its trials take: it may be what another arm sets.
  const arms = armsAsRun(plan);
  if (plan.compare !== undefined) return namedPairs(arms, plan.compare);
  const square = twoByTwo(arms);
  if (square !== null) {
    const [oldFirst, oldSecond, newFirst, newSecond] = square;
    const pair = (baseline: Arm, candidate: Arm, primary: boolean): ArmPair => ({
      baseline,
      candidate,
      primary,
      identical: sameRequest(baseline, candidate),
    });
    return [
      pair(oldFirst, newFirst, true),
      pair(oldSecond, newSecond, true),
      pair(oldFirst, oldSecond, false),
      pair(newFirst, newSecond, false),
    ];
  }
  const [baseline, ...candidates] = arms;
  if (baseline === undefined) return [];
  return candidates.map((candidate) => ({
    baseline,
    candidate,
    primary: true,
    identical: sameRequest(baseline, candidate),
  }));
}
