import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { completePairs } from '../comparison/paired-values.ts';
import { summarise } from '../summary/summarise.ts';

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

/**
 * The comparisons of each arm that a run has twice, judged as an A/A run of that arm alone: real differences between
 * other arms of the run must not lend their significance to the family. Families are named by their arm.
 */
export function identicalComparisons(plan: Plan, records: readonly TrialRecord[]): Comparison[] {
  return armPairs(plan)
    .filter((pair) => pair.identical)
    .flatMap(({ baseline, candidate }) => {
      const labels = new Set([baseline.label, candidate.label]);
      const alone: Plan = {
        ...plan,
        compare: undefined,
        interims: undefined,
        arms: [baseline, candidate],
        trials: plan.trials.filter(({ arm }) => labels.has(arm)),
      };
      const own = records.filter(({ arm }) => labels.has(arm));
      return summarise(alone, own, null, []).comparisons.map((comparison) => ({
        ...comparison,
        family: `${baseline.label} ${comparison.family}`,
      }));
    });
}

/** The A/A blocks of several runs, one series for each metric, workload and repeated arm. */
export function recordedSeries(runs: readonly (readonly Comparison[])[]): RecordedSeries[] {
  const found = new Map<string, { example: Comparison; arm: string; pairs: RecordedPair[] }>();
  for (const [runIndex, comparisons] of runs.entries()) {
    for (const comparison of comparisons) {
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
