import type { RunContrast } from '../../src/core/model/run-comparison.ts';
import type { Comparison } from '../../src/core/model/summary.ts';
import type { CsvColumn } from './csv-text.ts';

/** What a comparison within a run and one between two runs both have. */
type Compared = Pick<Comparison, keyof Comparison & keyof RunContrast>;

/** Where and what was compared, alike within a run and between two. */
export const placeColumns: readonly CsvColumn<Compared>[] = [
  ['workload', ({ workload }) => workload],
  ['workload_kind', ({ workloadKind }) => workloadKind],
  ['client', ({ client }) => client],
  ['network', ({ network }) => network],
  ['server', ({ server }) => server],
  ['metric', ({ metric }) => metric],
  ['unit', ({ unit }) => unit],
];

/** `_low` and `_high` are the limits of intervals. */
export const effectColumns: readonly CsvColumn<Compared>[] = [
  ['ratio', ({ ratio }) => ratio],
  ['ratio_low', ({ ratioInterval }) => ratioInterval?.[0]],
  ['ratio_high', ({ ratioInterval }) => ratioInterval?.[1]],
  ['difference', ({ difference }) => difference],
  ['difference_low', ({ differenceInterval }) => differenceInterval?.[0]],
  ['difference_high', ({ differenceInterval }) => differenceInterval?.[1]],
];

/** What the tests and the verdict say. */
export const verdictColumns: readonly CsvColumn<Compared>[] = [
  ['margin', ({ margin }) => margin],
  ['p_value', ({ pValue }) => pValue],
  ['adjusted_p_value', ({ adjustedPValue }) => adjustedPValue],
  ['cliffs_delta', ({ cliffsDelta }) => cliffsDelta],
  ['verdict', ({ verdict }) => verdict],
  ['reason', ({ reason }) => reason],
];
