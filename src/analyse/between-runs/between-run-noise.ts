import type { BetweenRunNoise } from '../../core/model/calibration.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { logRatio } from '../comparison/effect.ts';
import { completePairs } from '../comparison/paired-values.ts';
import { momentsOf } from '../statistics/student-t.ts';

/** From fewer runs a variance between runs says nothing. */
export const minRuns = 3;

type Named = Omit<BetweenRunNoise, 'sd' | 'runs'>;

/** Figures of several runs of the same thing, each with what it is a figure of. */
export function spreadOfRuns(
  figures: readonly { readonly named: Named; readonly value: number }[],
): BetweenRunNoise[] {
  const groups = Map.groupBy(figures, ({ named }) => JSON.stringify(named));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < minRuns) return [];
    const { variance } = momentsOf(group.map(({ value }) => value));
    return [{ ...first.named, sd: Math.sqrt(variance), runs: group.length }];
  });
}

const meanOf = (values: readonly number[]): number => momentsOf(values).mean;

/** Variance between runs of A/A calibration: of each arm's level, and of the gap between an arm and itself. */
export function noiseBetweenRuns(runs: readonly (readonly Comparison[])[]): BetweenRunNoise[] {
  return spreadOfRuns(
    runs.flatMap((comparisons) =>
      comparisons.flatMap((comparison) => {
        const { workload, workloadKind, network, metric, baseline } = comparison;
        const pairs = completePairs(comparison.values);
        if (pairs.length === 0) return [];
        const form = comparison.ratio === null ? ('difference' as const) : ('ratio' as const);
        const scaled = (value: number): number => (form === 'ratio' ? Math.log(value) : value);
        const gaps = pairs.map((pair) =>
          form === 'ratio' ? logRatio(pair) : pair.candidate - pair.baseline,
        );
        const named = {
          workload,
          workloadKind,
          network,
          metric,
          arms: [baseline.arm],
          form,
          source: 'calibration' as const,
        };
        const levels = pairs.flatMap((pair) => [scaled(pair.baseline), scaled(pair.candidate)]);
        return [
          { named: { ...named, what: 'gap' as const }, value: meanOf(gaps) },
          { named: { ...named, what: 'level' as const }, value: meanOf(levels) },
        ];
      }),
    ),
  );
}

/**
 * What is known of a figure's noise between runs, the largest where several arms were measured: of the arms themselves
 * where any is named, else of any arm.
 */
export function noiseOf(
  known: readonly BetweenRunNoise[],
  wanted: Pick<BetweenRunNoise, 'workload' | 'workloadKind' | 'network' | 'metric' | 'what' | 'form'> & {
    readonly arms: readonly string[];
  },
): BetweenRunNoise | null {
  const same = known.filter(
    (noise) =>
      noise.workload === wanted.workload &&
      noise.workloadKind === wanted.workloadKind &&
      noise.network === wanted.network &&
      noise.metric === wanted.metric &&
      noise.what === wanted.what &&
      noise.form === wanted.form,
  );
  const named = same.filter(({ arms }) => arms.some((arm) => wanted.arms.includes(arm)));
  const used = named.length > 0 ? named : same;
  return used.reduce<BetweenRunNoise | null>(
    (worst, noise) => (worst === null || noise.sd > worst.sd ? noise : worst),
    null,
  );
}
