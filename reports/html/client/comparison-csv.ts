import type { PageComparison } from '../page-data.ts';
import { csvOf } from './copy.ts';

const columns: readonly (readonly [string, (comparison: PageComparison) => string | number | null])[] = [
  ['workload', ({ workload }) => workload],
  ['condition', ({ condition }) => condition],
  ['metric', ({ metricName }) => metricName],
  ['unit', ({ unit }) => unit],
  ['baseline_median', ({ baseline }) => baseline.median],
  ['candidate_median', ({ candidate }) => candidate.median],
  ['ratio', ({ ratio }) => ratio],
  ['ratio_low', ({ ratioInterval }) => ratioInterval?.[0] ?? null],
  ['ratio_high', ({ ratioInterval }) => ratioInterval?.[1] ?? null],
  ['difference', ({ difference }) => difference],
  ['difference_low', ({ differenceInterval }) => differenceInterval?.[0] ?? null],
  ['difference_high', ({ differenceInterval }) => differenceInterval?.[1] ?? null],
  ['n', ({ blocks }) => blocks],
  ['p', ({ pValue }) => pValue],
  ['adjusted_p', ({ adjustedPValue }) => adjustedPValue],
  ['verdict', ({ verdict }) => verdict],
];

/** Comparisons as CSV, one row each. */
export function comparisonsAsCsv(comparisons: readonly PageComparison[]): string {
  return csvOf([
    columns.map(([name]) => name),
    ...comparisons.map((comparison) => columns.map(([, valueOf]) => valueOf(comparison))),
  ]);
}
