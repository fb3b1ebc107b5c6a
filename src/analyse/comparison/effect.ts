import type { ComparisonForm } from '../../core/model/metrics.ts';
import { cliffsDelta } from '../statistics/cliffs-delta.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import type { LocationTest, MarginTest } from '../statistics/location-test.ts';
import { testMargin } from '../statistics/location-test.ts';
import { testOverHosts } from '../statistics/over-hosts.ts';
import { describeSample } from '../statistics/quantile.ts';
import type { CompletePair } from './paired-values.ts';

/** What the blocks say about candidate against baseline, before any verdict. */
export interface Effect {
  /** The form really used: ratios need every value above zero. */
  readonly form: ComparisonForm;
  /** Per-block effects on the scale of the test: ln candidate − ln baseline, or candidate − baseline. */
  readonly effects: readonly number[];
  /** candidate − baseline, whatever the form. */
  readonly differences: readonly number[];
  /**
   * What an effect must go beyond to be one, on the scale of the effects: ln(1 + margin), or in the metric's unit, and what
   * recording may have made of it on top.
   */
  readonly scaleMargin: number;
  /** Within what an effect is none: the margin less what recording may have hidden. */
  readonly equivalenceMargin: number;
  /** Of recorded trials: two-sided p of an effect beyond the margin alone. */
  readonly pBeyondPlainMargin: number | null;
  /** On that scale. */
  readonly estimate: number | null;
  readonly difference: number | null;
  /** The margin as the summary shows it: a fraction for ratios, else in the metric's unit. */
  readonly margin: number;
  /** The test on which the verdict rests; null where there are too few blocks for any p. */
  readonly test: LocationTest;
  /** The same test for blocks of one host, and the host of each effect. */
  readonly plainTest: LocationTest;
  readonly hosts: readonly string[];
  readonly margins: MarginTest | null;
  readonly cliffsDelta: number | null;
}

/** What is asked of the blocks. */
export interface EffectQuestion {
  readonly form: ComparisonForm;
  /** Practical margin: a fraction for ratios, in the metric's unit for differences. */
  readonly margin: number;
  /** By how much more, at the most, recording slows one arm than the other: on the scale of the logarithm. Default: not at all. */
  readonly overhead?: number;
}

/**
 * Paired effect of the candidate over blocks.
 *
 * Margins are symmetric in the logarithm: 3 % means a ratio between 1/1.03 and 1.03, so that exchanging the
 * arms exchanges the verdict. A ratio metric with a value that is not above zero (a negative QoE score, no
 * quality switch) is compared by difference instead, with the fraction taken of the median of both arms' values.
 */
export function measureEffect(
  pairs: readonly CompletePair[],
  { form, margin, overhead = 0 }: EffectQuestion,
  plainTest: LocationTest,
): Effect {
  const hosts = pairs.map(({ host = '' }) => host);
  const test = testOverHosts(plainTest, hosts);
  const baseline = pairs.map((pair) => pair.baseline);
  const candidate = pairs.map((pair) => pair.candidate);
  const differences = pairs.map((pair) => pair.candidate - pair.baseline);
  const positive = [...baseline, ...candidate].every((value) => value > 0 && Number.isFinite(value));
  const usedForm = form === 'ratio' && positive ? 'ratio' : 'difference';
  const effects = usedForm === 'ratio' ? pairs.map(logRatio) : differences;
  const typical = Math.abs(describeSample([...baseline, ...candidate]).median ?? 0);
  const shownMargin = form === 'ratio' && usedForm === 'difference' ? margin * typical : margin;
  const plainMargin = usedForm === 'ratio' ? Math.log1p(margin) : shownMargin;
  const byOverhead =
    usedForm === 'ratio' ? overhead : Math.expm1(overhead) * sizeOf([...baseline, ...candidate]);
  const scaleMargin = plainMargin + byOverhead;
  const equivalenceMargin = plainMargin - byOverhead;
  return {
    form: usedForm,
    effects,
    differences,
    scaleMargin,
    equivalenceMargin,
    pBeyondPlainMargin:
      byOverhead > 0 ? (testMargin(test, effects, plainMargin)?.pBeyondMargin ?? null) : null,
    estimate: test.locate(effects, []).estimate,
    difference: test.locate(differences, []).estimate,
    margin: shownMargin,
    test,
    plainTest,
    hosts,
    margins: testMargin(test, effects, scaleMargin, equivalenceMargin),
    cliffsDelta: cliffsDelta(baseline, candidate),
  };
}

/** What recording changes by a share of: the median, and where most values are none, the largest. */
function sizeOf(values: readonly number[]): number {
  const sizes = values.map(Math.abs);
  return describeSample(sizes).median || Math.max(0, ...sizes);
}

/** Never the logarithm of a quotient, which rounds otherwise when the arms are exchanged and can leave the range of numbers. */
export function logRatio({ baseline, candidate }: Pick<CompletePair, 'baseline' | 'candidate'>): number {
  return Math.log(candidate) - Math.log(baseline);
}

/** Intervals of an effect as the summary shows them. */
export interface EffectIntervals {
  readonly ratioInterval: [number, number] | null;
  readonly differenceInterval: [number, number] | null;
}

/** @param level of the interval, such as 0.95 */
export function intervalsOf({ test, form, effects, differences }: Effect, level: number): EffectIntervals {
  const at = (sample: readonly number[]): Interval | null =>
    test.locate(sample, [level]).intervals[0] ?? null;
  const ratio = form === 'ratio' ? at(effects) : null;
  const difference = at(differences);
  return {
    ratioInterval: ratio === null ? null : [Math.exp(ratio[0]), Math.exp(ratio[1])],
    differenceInterval: difference === null ? null : [...difference],
  };
}
