import type { ComparisonForm } from '../../model/metrics.ts';
import { cliffsDelta } from '../statistics/cliffs-delta.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { hodgesLehmannShift } from '../statistics/hodges-lehmann-shift.ts';
import { mannWhitney } from '../statistics/mann-whitney.ts';

/** What two unpaired samples say, before any verdict; on the scale of the test: logarithms, or the metric's unit. */
export interface UnpairedEffect {
  readonly form: ComparisonForm;
  readonly estimate: number | null;
  readonly interval: Interval | null;
  readonly equivalenceInterval: Interval | null;
  readonly pValue: number | null;
  readonly cliffsDelta: number | null;
}

/**
 * Shift from `first` to `second`: of logarithms where the metric is compared by ratio and every value is above zero.
 *
 * @param alpha level of the test; the intervals have 1 − alpha and 1 − 2·alpha
 */
export function unpairedEffect(
  first: readonly number[],
  second: readonly number[],
  form: ComparisonForm,
  alpha: number,
): UnpairedEffect {
  const positive = [...first, ...second].every((value) => value > 0);
  const usedForm = form === 'ratio' && positive ? 'ratio' : 'difference';
  const scaled = (values: readonly number[]): readonly number[] =>
    usedForm === 'ratio' ? values.map(Math.log) : values;
  const location = hodgesLehmannShift(scaled(first), scaled(second), [1 - alpha, 1 - 2 * alpha]);
  return {
    form: usedForm,
    estimate: location.estimate,
    interval: location.intervals[0] ?? null,
    equivalenceInterval: location.intervals[1] ?? null,
    pValue: mannWhitney(first, second).pValue,
    cliffsDelta: cliffsDelta(first, second),
  };
}
