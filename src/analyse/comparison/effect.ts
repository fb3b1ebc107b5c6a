import type { ComparisonForm } from '../../model/metrics.ts';
import { cliffsDelta } from '../statistics/cliffs-delta.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { hodgesLehmann } from '../statistics/hodges-lehmann.ts';
import { describeSample } from '../statistics/quantile.ts';
import type { SignedRankTest } from '../statistics/wilcoxon-signed-rank.ts';
import { wilcoxonSignedRank } from '../statistics/wilcoxon-signed-rank.ts';
import type { CompletePair } from './paired-values.ts';

/** What the blocks say about candidate against baseline, before any verdict. */
export interface Effect {
  /** The form really used: ratios need every value above zero. */
  readonly form: ComparisonForm;
  /** Per-block effects on the scale of the test: ln(candidate/baseline), or candidate − baseline. */
  readonly effects: readonly number[];
  /** The practical margin on that scale: ln(1 + margin), or in the metric's unit. */
  readonly scaleMargin: number;
  /** Estimate, 1 − alpha and 1 − 2·alpha interval on that scale. */
  readonly estimate: number | null;
  readonly interval: Interval | null;
  readonly equivalenceInterval: Interval | null;
  /** The same for candidate − baseline, whatever the form. */
  readonly difference: number | null;
  readonly differenceInterval: Interval | null;
  /** The margin as the summary shows it: a fraction for ratios, else in the metric's unit. */
  readonly margin: number;
  readonly test: SignedRankTest;
  readonly cliffsDelta: number | null;
}

/** Whether a quotient lies within what a number can hold. */
function isRatio(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}

/**
 * Paired effect of the candidate over blocks.
 *
 * Margins are symmetric in the logarithm: 3 % means a ratio between 1/1.03 and 1.03, so that exchanging the
 * arms exchanges the verdict. A ratio metric with a value that is not above zero (a negative QoE score, no
 * quality switch) is compared by difference instead, with the fraction taken of the baseline's median.
 */
export function measureEffect(
  pairs: readonly CompletePair[],
  form: ComparisonForm,
  margin: number,
  alpha: number,
): Effect {
  const levels = [1 - alpha, 1 - 2 * alpha];
  const baseline = pairs.map((pair) => pair.baseline);
  const candidate = pairs.map((pair) => pair.candidate);
  const differences = pairs.map((pair) => pair.candidate - pair.baseline);
  const byDifference = hodgesLehmann(differences, levels);
  const positive = pairs.every(({ baseline: a, candidate: b }) => a > 0 && b > 0 && isRatio(b / a));
  const usedForm = form === 'ratio' && positive ? 'ratio' : 'difference';
  const effects =
    usedForm === 'ratio' ? pairs.map((pair) => Math.log(pair.candidate / pair.baseline)) : differences;
  const location = usedForm === 'ratio' ? hodgesLehmann(effects, levels) : byDifference;
  const absoluteMargin = margin * Math.abs(describeSample(baseline).median ?? 0);
  const shownMargin = form === 'ratio' && usedForm === 'difference' ? absoluteMargin : margin;
  return {
    form: usedForm,
    effects,
    scaleMargin: usedForm === 'ratio' ? Math.log1p(margin) : shownMargin,
    estimate: location.estimate,
    interval: location.intervals[0] ?? null,
    equivalenceInterval: location.intervals[1] ?? null,
    difference: byDifference.estimate,
    differenceInterval: byDifference.intervals[0] ?? null,
    margin: shownMargin,
    test: wilcoxonSignedRank(effects),
    cliffsDelta: cliffsDelta(baseline, candidate),
  };
}
