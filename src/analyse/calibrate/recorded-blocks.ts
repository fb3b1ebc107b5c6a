import type { Arm, Plan } from '../../model/plan.ts';
import type { Comparison } from '../../model/summary.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { completePairs } from '../comparison/paired-values.ts';

/** The two values of one block of an A/A run. */
export interface RecordedPair {
  readonly runIndex: number;
  readonly blockIndex: number;
  readonly first: number;
  readonly second: number;
}

/** Blocks of one metric of one arm that was run twice, over all runs. */
export interface RecordedSeries {
  /** A comparison of the series, for its names, unit and margin. */
  readonly example: Comparison;
  /** The repeated arm without its number. */
  readonly arm: string;
  readonly form: 'ratio' | 'difference';
  readonly pairs: readonly RecordedPair[];
}

/** The comparisons of a run whose two arms are the same thing. */
export function identicalComparisons(arms: readonly Arm[], comparisons: readonly Comparison[]): Comparison[] {
  const identical = armPairs(arms).filter((pair) => pair.identical);
  return comparisons.filter(({ baseline, candidate }) =>
    identical.some((pair) => pair.baseline.label === baseline.arm && pair.candidate.label === candidate.arm),
  );
}

export interface RecordedRun {
  readonly plan: Pick<Plan, 'arms'>;
  readonly comparisons: readonly Comparison[];
}

/** The A/A blocks of several runs, one series for each metric, workload and repeated arm. */
export function recordedSeries(runs: readonly RecordedRun[]): RecordedSeries[] {
  const found = new Map<string, { example: Comparison; arm: string; pairs: RecordedPair[] }>();
  for (const [runIndex, run] of runs.entries()) {
    for (const comparison of identicalComparisons(run.plan.arms, run.comparisons)) {
      const { workloadKind, workload, client, network, server, metric, baseline } = comparison;
      const key = [workloadKind, workload, client, network, server, metric, baseline.arm].join('\u0000');
      const series = found.get(key) ?? { example: comparison, arm: baseline.arm, pairs: [] };
      for (const pair of completePairs(comparison.values))
        series.pairs.push({
          runIndex,
          blockIndex: pair.blockIndex,
          first: pair.baseline,
          second: pair.candidate,
        });
      found.set(key, series);
    }
  }
  return [...found.values()].map(({ example, arm, pairs }) => {
    const positive = pairs.every(({ first, second }) => first > 0 && second > 0);
    return { example, arm, pairs, form: positive && example.ratio !== null ? 'ratio' : 'difference' };
  });
}
