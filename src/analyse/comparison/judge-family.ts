import { reasonOf, type Reason } from '../../core/model/reasons.ts';
import type { Verdict, WorstRank } from '../../core/model/summary.ts';
import { adjustPValues } from '../statistics/adjust-p-values.ts';
import { smallestPValue } from '../statistics/attainable-p.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import type { Effect } from './effect.ts';
import { pWithDemand, type EqualityDemand } from './equality-demands.ts';
import { intervalsOf } from './effect.ts';
import type { FamilyMember, HolmStep } from './holm.ts';
import { holmSteps } from './holm.ts';
import { decideVerdict, sideVerdict } from './verdict.ts';
import type { VerdictWithReason } from './verdict.ts';
import type { WorstCase } from './worst-rank.ts';
import { worstRankFigures } from './worst-rank.ts';

/** A comparison of a family that waits for its verdict. */
export interface Candidate {
  readonly effect: Effect;
  readonly blocks: number;
  readonly higherIsBetter: boolean;
  /** A reason for which no verdict may be given. */
  readonly veto: Reason | null;
  readonly demand: EqualityDemand | null;
  readonly worst: WorstCase | null;
  /** The verdict of an earlier interim analysis, which stands. */
  readonly earlier: Verdict | undefined;
}

export interface Judgement extends VerdictWithReason {
  readonly adjustedPBeyondMargin: number | null;
  readonly adjustedPEquivalent: number | null;
  /** Level of the interval that fits the verdict. */
  readonly intervalLevel: number;
  /** Levels of the two tests at the step at which they were decided, or not. */
  readonly beyondLevel: number;
  readonly equivalentLevel: number;
  readonly worstRank?: WorstRank;
}

type JudgeRules = Pick<ComparisonRules, 'alpha' | 'secondaryAlpha' | 'levels'>;

/** Gives every member of a family its verdict: p of both tests of the margin adjusted, each by itself. */
export function judgeFamily(
  members: readonly Candidate[],
  exploratory: boolean,
  rules: JudgeRules,
): Judgement[] {
  const alpha = exploratory ? rules.secondaryAlpha : rules.alpha;
  const stepsOf = (
    p: (member: Candidate) => number | null,
    level: (alpha: number, test: FamilyMember['test']) => number,
  ): HolmStep[] => {
    const family = members.map((member) => ({
      p: exploratory && !canReach(member, alpha) ? null : p(member),
      test: member.effect.test.name,
    }));
    return exploratory ? falseDiscoverySteps(family, alpha) : holmSteps(family, alpha, level);
  };
  const beyond = stepsOf(
    ({ earlier, effect }) =>
      earlier === 'better' || earlier === 'worse' ? 0 : (effect.margins?.pBeyondMargin ?? null),
    rules.levels.beyond,
  );
  const equivalent = stepsOf(
    ({ earlier, effect, demand }) =>
      earlier === 'equivalent' ? 0 : pWithDemand(effect.margins?.pEquivalent ?? null, demand),
    rules.levels.equivalent,
  );
  return members.map((member, i) =>
    judge(member, beyond[i] as HolmStep, equivalent[i] as HolmStep, { alpha, exploratory }),
  );
}

/**
 * Whether so few blocks can give a p below the level at all. What cannot is no test, and must not dilute the others: their number
 * does not depend on any value, so leaving them out keeps the share of false ones (Bourgon et al., PNAS 107, 2010).
 */
function canReach({ effect, blocks }: Candidate, alpha: number): boolean {
  return effect.test.name !== 'signed-rank' || smallestPValue(blocks) < alpha;
}

/**
 * Benjamini & Hochberg (JRSS B 57, 1995). The level of those that are found is that of their selection: found ÷ all of the
 * level (Benjamini & Yekutieli, JASA 100, 2005); the others are described at the plain level.
 */
function falseDiscoverySteps(members: readonly FamilyMember[], alpha: number): HolmStep[] {
  const adjusted = adjustPValues(
    members.map(({ p }) => p),
    'bh',
  );
  const tested = adjusted.filter((p) => p !== null);
  const found = tested.filter((p) => p < alpha).length;
  const selected = (alpha * found) / Math.max(1, tested.length);
  return adjusted.map((p) => ({ adjusted: p, level: p !== null && p < alpha ? selected : alpha }));
}

function judge(
  member: Candidate,
  beyond: HolmStep,
  equivalent: HolmStep,
  { alpha, exploratory }: { readonly alpha: number; readonly exploratory: boolean },
): Judgement {
  const { effect, blocks, higherIsBetter, veto, worst } = member;
  const first = decideVerdict({
    blocks,
    minBlocks: effect.test.minValues,
    side: effect.margins?.side ?? 1,
    pBeyondMargin: effect.margins?.pBeyondMargin ?? null,
    pEquivalent: effect.margins?.pEquivalent ?? null,
    pBeyondPlainMargin: effect.pBeyondPlainMargin,
    adjustedPBeyondMargin: beyond.adjusted,
    adjustedPEquivalent: equivalent.adjusted,
    alpha,
    higherIsBetter,
    veto,
    demand: member.demand,
  });
  const worstVerdict = worst === null ? null : verdictAtWorst(member, beyond.level, equivalent.level);
  const stands = first.verdict === 'inconclusive' || worstVerdict === null || worstVerdict === first.verdict;
  const outcome: VerdictWithReason = stands
    ? first
    : { verdict: 'inconclusive', reason: reasonOf('unequal-losses') };
  const intervalLevel = fittingLevel(effect, first.verdict, [beyond.level, equivalent.level], exploratory);
  return {
    ...outcome,
    adjustedPBeyondMargin: beyond.adjusted,
    adjustedPEquivalent: equivalent.adjusted,
    intervalLevel,
    beyondLevel: beyond.level,
    equivalentLevel: equivalent.level,
    ...(worst === null || worstVerdict === null
      ? {}
      : { worstRank: { ...worstRankFigures(worst, intervalLevel), verdict: worstVerdict } }),
  };
}

/** What the worst case says at the levels of the comparison's own step. */
function verdictAtWorst(
  { worst, higherIsBetter }: Candidate,
  beyondLevel: number,
  equivalentLevel: number,
): Verdict {
  const margins = worst?.effect.margins;
  if (!margins) return 'inconclusive';
  if (margins.pBeyondMargin < beyondLevel) return sideVerdict(margins.side, higherIsBetter);
  return margins.pEquivalent < equivalentLevel ? 'equivalent' : 'inconclusive';
}

const plainLevel = 0.95;

/**
 * The level whose interval says the same as the verdict: 1 − level of the two-sided test; 1 − 2 · level of the one-sided
 * tests of equivalence. An open comparison has that of the step at which it stopped, as far as so few blocks reach it.
 */
function fittingLevel(
  effect: Effect,
  verdict: Verdict,
  [beyond, equivalent]: readonly [number, number],
  exploratory: boolean,
): number {
  if (verdict === 'equivalent') return 1 - 2 * equivalent;
  if (verdict !== 'inconclusive') return 1 - beyond;
  if (exploratory || beyond <= 0) return plainLevel;
  return intervalsOf(effect, 1 - beyond).differenceInterval === null ? plainLevel : 1 - beyond;
}
