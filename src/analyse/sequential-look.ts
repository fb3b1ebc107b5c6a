import type { Verdict } from '../model/summary.ts';
import { defaultAlpha } from './comparison/comparison-rules.ts';
import { decideVerdict } from './comparison/verdict.ts';
import { lookLevels } from './statistics/alpha-spending.ts';
import { hodgesLehmann } from './statistics/hodges-lehmann.ts';
import { wilcoxonSignedRank } from './statistics/wilcoxon-signed-rank.ts';

/** Blocks after which a sequential run looks at its data. */
export const defaultLooks: readonly number[] = Object.freeze([12, 16, 20]);

export interface LookSchedule {
  /** Blocks at each look, ascending. Default 12, 16, 20. */
  readonly looks?: readonly number[];
  /** Chance of a false alarm over all looks together. Default 0.05. */
  readonly alpha?: number;
}

export interface LookInput extends LookSchedule {
  /** Per-block effects of the blocks so far: ln(candidate/baseline) or candidate − baseline. */
  readonly effects: readonly number[];
  /** Which look this is, from 0. */
  readonly look: number;
  /** Practical margin on the scale of the effects. */
  readonly scaleMargin: number;
  readonly higherIsBetter: boolean;
  /** Comparisons decided together at each look: p is multiplied by it (Bonferroni bounds Holm). Default 1. */
  readonly comparisons?: number;
}

export interface LookOutcome {
  readonly action: 'decided' | 'continue' | 'undecided';
  readonly verdict: Verdict;
  /** Level of this look's test; its interval has 1 − level. */
  readonly level: number;
  readonly pValue: number;
  /** Blocks at the next look, if there is one. */
  readonly nextLookBlocks: number | null;
}

const levelsBySchedule = new Map<string, readonly number[]>();

/** The level of every look of a schedule; integrated once. @throws RangeError for looks that do not ascend */
export function scheduledLevels({
  looks = defaultLooks,
  alpha = defaultAlpha,
}: LookSchedule = {}): readonly number[] {
  const key = [...looks, alpha].join(' ');
  const levels = levelsBySchedule.get(key) ?? lookLevels(looks, alpha);
  levelsBySchedule.set(key, levels);
  return levels;
}

/**
 * One look of a sequential run: the verdict rule at the look's own level. `decided` ends the run;
 * `undecided` is the end without a decision, after the last look.
 *
 * @throws RangeError when the look does not exist or its blocks are not there yet
 */
export function judgeLook(input: LookInput): LookOutcome {
  const { effects, look, looks = defaultLooks, comparisons = 1 } = input;
  const level = scheduledLevels(input)[look];
  const due = looks[look];
  if (level === undefined || due === undefined) {
    throw new RangeError(`there are ${looks.length} looks, counted from 0; got look ${look}`);
  }
  if (effects.length < due) throw new RangeError(`look ${look} needs ${due} blocks, got ${effects.length}`);
  const location = hodgesLehmann(effects, [1 - level, 1 - 2 * level]);
  const pValue = Math.min(1, comparisons * wilcoxonSignedRank(effects).pValue);
  const { verdict } = decideVerdict({
    blocks: effects.length,
    interval: location.intervals[0] ?? null,
    equivalenceInterval: location.intervals[1] ?? null,
    scaleMargin: input.scaleMargin,
    adjustedPValue: pValue,
    alpha: level,
    higherIsBetter: input.higherIsBetter,
    veto: null,
  });
  const next = looks[look + 1] ?? null;
  const action = verdict !== 'inconclusive' ? 'decided' : next === null ? 'undecided' : 'continue';
  return { action, verdict, level, pValue, nextLookBlocks: action === 'continue' ? next : null };
}
