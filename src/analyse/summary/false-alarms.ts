import type { Comparison } from '../../core/model/summary.ts';
import { completePairs } from '../comparison/paired-values.ts';
import { attainableSizeOf } from '../statistics/attainable-p.ts';
import type { Interval } from '../statistics/hodges-lehmann.ts';
import { clusteredProportionInterval, proportionUpperBound } from '../statistics/proportion-interval.ts';

/** Level of the unadjusted test whose false alarms are counted. */
const testLevel = 0.05;
const confidence = 0.95;

/** What A/A runs say about the false alarms of the statistics on this machine. */
export interface FalseAlarms {
  /** Share of testable comparisons with unadjusted p < 0.05; null where there are none. */
  readonly falseAlarmRate: number | null;
  /** 95 %, clustered by run, because metrics of one run are correlated; null for fewer than two runs. */
  readonly falseAlarmInterval: Interval | null;
  /** What the rate would be if nothing were wrong: mean exact size of the tests made. */
  readonly attainableSize: number | null;
  /** Whether the interval contains the attainable size; null without an interval. */
  readonly consistent: boolean | null;
  readonly comparisons: number;
  /** Comparisons that could never alarm (too few blocks, or arms equal in nearly every block), left out. */
  readonly untestable: number;
  readonly families: number;
  /** Families with any better or worse verdict, and the 95 % upper bound of their share. */
  readonly alarmedFamilies: number;
  readonly alarmedFamiliesUpperBound: number | null;
}

/** The false-alarm rate over A/A runs. @param runs the comparisons of each run */
export function falseAlarmsOf(runs: readonly (readonly Comparison[])[]): FalseAlarms {
  const clusters: { events: number; trials: number }[] = [];
  let sizeSum = 0;
  let untestable = 0;
  let families = 0;
  let alarmedFamilies = 0;
  for (const comparisons of runs) {
    const sizes = comparisons.map(attainableSizeOfComparison);
    const testable = comparisons.filter((_, index) => (sizes[index] ?? 0) > 0);
    sizeSum += sizes.reduce((sum, size) => sum + size, 0);
    untestable += comparisons.length - testable.length;
    const events = testable.filter(({ pValue }) => pValue !== null && pValue < testLevel).length;
    clusters.push({ events, trials: testable.length });
    const names = new Set(comparisons.map((comparison) => comparison.family));
    const alarmed = new Set(comparisons.filter(isAlarm).map((comparison) => comparison.family));
    families += names.size;
    alarmedFamilies += alarmed.size;
  }
  const trials = clusters.reduce((sum, cluster) => sum + cluster.trials, 0);
  const events = clusters.reduce((sum, cluster) => sum + cluster.events, 0);
  const falseAlarmInterval = clusteredProportionInterval(clusters, confidence);
  const attainableSize = trials === 0 ? null : sizeSum / trials;
  return {
    falseAlarmRate: trials === 0 ? null : events / trials,
    falseAlarmInterval,
    attainableSize,
    consistent:
      falseAlarmInterval === null || attainableSize === null
        ? null
        : contains(falseAlarmInterval, attainableSize),
    comparisons: trials,
    untestable,
    families,
    alarmedFamilies,
    alarmedFamiliesUpperBound: proportionUpperBound(alarmedFamilies, families, confidence),
  };
}

function isAlarm({ verdict }: Comparison): boolean {
  return verdict === 'better' || verdict === 'worse';
}

function contains([low, high]: Interval, value: number): boolean {
  return low <= value && value <= high;
}

/** Exact size of the test that was made, given the comparison's own ties and zeros. */
function attainableSizeOfComparison(comparison: Comparison): number {
  const asRatio = comparison.ratio !== null;
  const effects = completePairs(comparison.values).map(({ baseline, candidate }) =>
    asRatio ? Math.log(candidate / baseline) : candidate - baseline,
  );
  return attainableSizeOf(effects, testLevel);
}
