import type { CalibrationDocument, NoiseSeries } from '../../core/model/calibration.ts';
import { defaultPrimaries, metricDefinition } from '../../core/metrics/registry.ts';
import type { Plan } from '../../core/model/plan.ts';

/** A margin that is smaller than what this machine can see. */
export interface BlindMargin {
  readonly metric: string;
  readonly margin: number;
  /** Smallest margin at which no change is found equivalent with 80 % power. */
  readonly smallestMargin: number;
  readonly blocks: number;
  readonly sentence: string;
}

/** The figure for the most blocks that a plan may use, but no more than it has. */
function atBlocks(series: NoiseSeries, blocks: number): { blocks: number; value: number } | undefined {
  const within = series.smallestMargin.filter((tried) => tried.blocks <= blocks);
  return within.at(-1) ?? series.smallestMargin[0];
}

function shown(value: number, { form, unit }: NoiseSeries): string {
  return form === 'ratio' ? `${(value * 100).toPrecision(2)} %` : `${value.toPrecision(3)} ${unit}`;
}

/**
 * The primary margins of a plan that are below what A/A runs of this class of machine could tell apart. A workload
 * that was not calibrated is measured by the same metric of any other, on the same network.
 */
export function blindMargins(plan: Plan, calibration: CalibrationDocument): BlindMargin[] {
  const kinds = [...new Set(plan.workloads.map(({ kind }) => kind))];
  const networks = new Set(plan.conditions.map(({ network }) => network));
  const ids = new Set(plan.workloads.map(({ id }) => id));
  return kinds.flatMap((kind) => {
    const metric = plan.primary[kind] ?? defaultPrimaries[kind].metric;
    const margin = plan.margins[metric] ?? metricDefinition(metric)?.margin;
    const ofMetric = calibration.series.filter(
      (series) => series.metric === metric && networks.has(series.network),
    );
    const pooled = ids.size > 1 && plan.pooled[kind] === true;
    const exact = ofMetric.filter(({ workload }) => (pooled ? workload === 'pooled' : ids.has(workload)));
    if (margin === undefined) return [];
    return (exact.length > 0 ? exact : ofMetric).flatMap((series) => {
      const reach = atBlocks(series, plan.repetitions);
      if (reach === undefined || reach.value <= margin) return [];
      const what = `${metric} of ${series.workload} over ${series.arm}`;
      return {
        metric,
        margin,
        smallestMargin: reach.value,
        blocks: reach.blocks,
        sentence: `${what}: a margin of ${shown(margin, series)} is below what this machine can see: ${reach.blocks} blocks of no change are found equivalent in 80 % of runs only from a margin of ${shown(reach.value, series)} on`,
      };
    });
  });
}
