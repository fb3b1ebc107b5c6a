import type { Arm, Plan } from '../../model/plan.ts';

/** Two arms to compare; verdicts speak of the candidate. */
export interface ArmPair {
  readonly baseline: Arm;
  readonly candidate: Arm;
  /** Whether this pair's primary metric belongs to the primary family. */
  readonly primary: boolean;
  /** Both arms ask for the same thing, so that any difference is noise (A/A). */
  readonly identical: boolean;
}

/** [baseline client × baseline protocol, … × candidate protocol, candidate client × baseline protocol, … × candidate protocol] */
export type TwoByTwo = readonly [Arm, Arm, Arm, Arm];

const sameRequest = (a: Arm, b: Arm): boolean => a.protocol === b.protocol && a.client === b.client;

/** Two protocols, each asked for twice of the same client: the second pair stands for a candidate that changed nothing. */
function repeatedSquare(arms: readonly Arm[]): TwoByTwo | null {
  if (arms.length !== 4) return null;
  const [first, second] = [
    ...Map.groupBy(arms, ({ client, protocol }) => `${client}\u0000${protocol}`).values(),
  ];
  const [a, c] = first ?? [];
  const [b, d] = second ?? [];
  return a && b && c && d && a.client === b.client ? [a, b, c, d] : null;
}

/**
 * The four arms of a version × protocol plan in canonical order, or null for any other set of arms. Two protocols,
 * each twice, are such a plan of one version against itself (A/A).
 */
export function twoByTwo(arms: readonly Arm[]): TwoByTwo | null {
  const repeated = repeatedSquare(arms);
  if (repeated !== null) return repeated;
  const [first] = arms;
  if (arms.length !== 4 || first?.client === undefined) return null;
  const clients = [...new Set(arms.map((arm) => arm.client))];
  const protocols = [...new Set(arms.map((arm) => arm.protocol))];
  const cells = clients.flatMap((client) =>
    protocols.flatMap(
      (protocol) => arms.find((arm) => arm.client === client && arm.protocol === protocol) ?? [],
    ),
  );
  const [a, b, c, d] = cells;
  if (clients.length !== 2 || protocols.length !== 2) return null;
  return a && b && c && d ? [a, b, c, d] : null;
}

/** The pairs that a plan names itself: all of them primary. Pairs of arms that it does not have are none. */
function namedPairs({ arms, compare = [] }: Pick<Plan, 'arms' | 'compare'>): ArmPair[] {
  const byLabel = new Map(arms.map((arm) => [arm.label, arm]));
  return compare.flatMap(([first, second]) => {
    const [baseline, candidate] = [byLabel.get(first), byLabel.get(second)];
    if (baseline === undefined || candidate === undefined) return [];
    return [{ baseline, candidate, primary: true, identical: sameRequest(baseline, candidate) }];
  });
}

/**
 * Which arms are compared: the pairs that the plan names; else by its arms. Two arms: second against first. More: each against the first. Two versions by two
 * protocols: the versions within each protocol are primary (what a gate asks), the protocols within each
 * version secondary.
 */
export function armPairs(plan: Pick<Plan, 'arms' | 'compare'>): ArmPair[] {
  const { arms } = plan;
  if (plan.compare !== undefined) return namedPairs(plan);
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
