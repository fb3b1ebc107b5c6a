import type { BetweenRunNoise } from '../../core/model/calibration.ts';
import type { ComparisonForm } from '../../core/model/metrics.ts';
import { cliffsDelta } from '../statistics/cliffs-delta.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { hodgesLehmannShift } from '../statistics/hodges-lehmann-shift.ts';
import { momentsOf, oneSampleT, studentLimit } from '../statistics/student-t.ts';

/** What two unpaired samples say, before any verdict; on the scale of the test: logarithms, or the metric's unit. */
export interface UnpairedEffect {
  readonly form: ComparisonForm;
  readonly estimate: number | null;
  readonly cliffsDelta: number | null;
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** Shift from `first` to `second`: of logarithms where the metric is compared by ratio and every value is above zero. */
export function unpairedEffect(
  first: readonly number[],
  second: readonly number[],
  form: ComparisonForm,
): UnpairedEffect {
  const positive = [...first, ...second].every((value) => value > 0);
  const usedForm = form === 'ratio' && positive ? 'ratio' : 'difference';
  const scaled = (values: readonly number[]): readonly number[] =>
    usedForm === 'ratio' ? values.map(Math.log) : values;
  const before = scaled(first);
  const after = scaled(second);
  return {
    form: usedForm,
    estimate: hodgesLehmannShift(before, after),
    cliffsDelta: cliffsDelta(first, second),
    first: before,
    second: after,
  };
}

/** How sure a shift between runs is. */
export interface RunTest {
  readonly standardError: number;
  readonly degreesOfFreedom: number;
  readonly pValue: number;
  readonly pBeyondMargin: number;
  readonly pEquivalent: number;
  readonly side: 1 | -1;
}

/**
 * Tests a shift between two runs by what runs differ by although nothing changed. The run is the unit: each run's figure
 * has the variance between runs (which holds that within a run of the same length), or its own where it is shorter and
 * noisier than those runs were; Student's t with one degree of freedom less than the runs known.
 */
export function testBetweenRuns(
  effect: UnpairedEffect,
  noise: BetweenRunNoise,
  margin: number,
): RunTest | null {
  const { estimate, first, second } = effect;
  if (estimate === null) return null;
  const standardError = Math.sqrt(runVariance(first, noise) + runVariance(second, noise));
  const degreesOfFreedom = noise.runs - 1;
  const [none, upper, lower] = ([0, margin, -margin] as const).map((shift) =>
    oneSampleT(estimate, standardError, degreesOfFreedom, shift),
  ) as [Tails, Tails, Tails];
  return {
    standardError,
    degreesOfFreedom,
    pValue: Math.min(1, 2 * Math.min(none.pGreater, none.pLess)),
    pBeyondMargin: Math.min(1, 2 * Math.min(upper.pGreater, lower.pLess)),
    pEquivalent: Math.max(upper.pLess, lower.pGreater),
    side: upper.pGreater <= lower.pLess ? 1 : -1,
  };
}

type Tails = ReturnType<typeof oneSampleT>;

function runVariance(values: readonly number[], noise: BetweenRunNoise): number {
  const within = values.length < 2 ? 0 : momentsOf(values).variance / values.length;
  return Math.max(noise.sd ** 2, within);
}

/** @param level such as 0.95 */
export function intervalBetweenRuns(estimate: number, test: RunTest, level: number): Interval {
  const reach = studentLimit(level, test.degreesOfFreedom) * test.standardError;
  return [estimate - reach, estimate + reach];
}
