import type { RunComparison, RunContrast } from '../../src/core/model/run-comparison.ts';
import type { Comparison, Summary } from '../../src/core/model/summary.ts';
import { checkSummary } from '../check-summary.ts';
import { type CsvColumn, csvTable } from './csv-text.ts';

/** What a comparison within a run and one between two runs both have. */
type Compared = Pick<Comparison, keyof Comparison & keyof RunContrast>;

/** Where and what was compared, alike within a run and between two. */
const placeColumns: readonly CsvColumn<Compared>[] = [
  ['workload', ({ workload }) => workload],
  ['workload_kind', ({ workloadKind }) => workloadKind],
  ['client', ({ client }) => client],
  ['network', ({ network }) => network],
  ['server', ({ server }) => server],
  ['metric', ({ metric }) => metric],
  ['unit', ({ unit }) => unit],
];

/** `_low` and `_high` are the limits of intervals. */
const effectColumns: readonly CsvColumn<Compared>[] = [
  ['ratio', ({ ratio }) => ratio],
  ['ratio_low', ({ ratioInterval }) => ratioInterval?.[0]],
  ['ratio_high', ({ ratioInterval }) => ratioInterval?.[1]],
  ['difference', ({ difference }) => difference],
  ['difference_low', ({ differenceInterval }) => differenceInterval?.[0]],
  ['difference_high', ({ differenceInterval }) => differenceInterval?.[1]],
];

/** What the tests and the verdict say. */
const verdictColumns: readonly CsvColumn<Compared>[] = [
  ['margin', ({ margin }) => margin],
  ['p_value', ({ pValue }) => pValue],
  ['adjusted_p_value', ({ adjustedPValue }) => adjustedPValue],
  ['cliffs_delta', ({ cliffsDelta }) => cliffsDelta],
  ['verdict', ({ verdict }) => verdict],
  ['reason', ({ reason }) => reason],
];

/** Columns of the comparisons and where each comes from, in their order; `_low` and `_high` are limits at `interval_level`. */
const comparisonColumns: readonly CsvColumn<Comparison>[] = [
  ...placeColumns,
  ['higher_is_better', ({ higherIsBetter }) => higherIsBetter],
  ['primary', ({ primary }) => primary],
  ['family', ({ family }) => family],
  ['exploratory', ({ exploratory }) => exploratory],
  ['baseline_arm', ({ baseline }) => baseline.arm],
  ['baseline_n', ({ baseline }) => baseline.n],
  ['baseline_median', ({ baseline }) => baseline.median],
  ['candidate_arm', ({ candidate }) => candidate.arm],
  ['candidate_n', ({ candidate }) => candidate.n],
  ['candidate_median', ({ candidate }) => candidate.median],
  ['blocks', ({ blocks }) => blocks],
  ...effectColumns,
  ['interval_level', ({ intervalLevel }) => intervalLevel ?? 0.95],
  ...verdictColumns,
  ['blocks_needed_low', ({ blocksNeeded }) => blocksNeeded?.[0]],
  ['blocks_needed_high', ({ blocksNeeded }) => blocksNeeded?.[1]],
  ['smallest_detectable', ({ smallestDetectable }) => smallestDetectable],
  ['p_beyond_margin', ({ pBeyondMargin }) => pBeyondMargin],
  ['p_equivalent', ({ pEquivalent }) => pEquivalent],
  ['adjusted_p_equivalent', ({ adjustedPEquivalent }) => adjustedPEquivalent],
  ['test', ({ test }) => test],
  ['ratio_95_low', ({ ratioInterval95 }) => ratioInterval95?.[0]],
  ['ratio_95_high', ({ ratioInterval95 }) => ratioInterval95?.[1]],
  ['difference_95_low', ({ differenceInterval95 }) => differenceInterval95?.[0]],
  ['difference_95_high', ({ differenceInterval95 }) => differenceInterval95?.[1]],
  ['heterogeneity_p', ({ heterogeneity }) => heterogeneity?.pValue],
  ['site_sd', ({ heterogeneity }) => heterogeneity?.siteSd],
  ['lowest_site', ({ heterogeneity }) => heterogeneity?.lowest],
  ['lowest_site_ratio', ({ heterogeneity }) => heterogeneity?.range[0]],
  ['highest_site', ({ heterogeneity }) => heterogeneity?.highest],
  ['highest_site_ratio', ({ heterogeneity }) => heterogeneity?.range[1]],
  ['sites_like_these_low', ({ heterogeneity }) => heterogeneity?.sitesLikeThese?.[0]],
  ['sites_like_these_high', ({ heterogeneity }) => heterogeneity?.sitesLikeThese?.[1]],
  ['instrumentation', ({ instrumentation }) => instrumentation],
  ['instrumentation_overhead_ratio', ({ instrumentationOverhead }) => instrumentationOverhead?.ratio],
  ['instrumentation_overhead_bound', ({ instrumentationOverhead }) => instrumentationOverhead?.bound],
  ['worst_rank_verdict', ({ worstRank }) => worstRank?.verdict],
];

/** One row a comparison: effect, interval, p and verdict. */
export function renderComparisonsCsv(summary: Summary): string {
  checkSummary(summary);
  return csvTable(comparisonColumns, summary.comparisons);
}

const contrastColumns: readonly CsvColumn<RunContrast>[] = [
  ['what', ({ what }) => what],
  ...placeColumns,
  ['arms', ({ arms }) => arms.join(' ')],
  ['primary', ({ primary }) => primary],
  ['a_n', ({ a }) => a.n],
  ['a_median', ({ a }) => a.median],
  ['b_n', ({ b }) => b.n],
  ['b_median', ({ b }) => b.median],
  ...effectColumns,
  ...verdictColumns,
];

/** One row a contrast between two runs. */
export function renderContrastsCsv({ contrasts }: RunComparison): string {
  return csvTable(contrastColumns, contrasts);
}
