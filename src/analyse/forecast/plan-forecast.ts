import type { CalibrationDocument, NoiseSeries } from '../../core/model/calibration.ts';
import { maxBlocksNeeded } from '../../core/model/blocks-needed.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { Plan } from '../../core/model/plan.ts';
import { defaultAlpha } from '../comparison/comparison-rules.ts';
import { normalReach, smallestPlannedEffect } from '../comparison/plan-ahead.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import type { PrimaryFamily } from './decidability.ts';
import { primaryFamilies } from './decidability.ts';
import { locationTests } from '../statistics/location-test.ts';
import { blocksToDecide, decidingShare } from '../statistics/reach.ts';

/** What a primary family of a plan will find on this machine, simulated with the noise of its calibration. */
export interface FamilyForecast {
  readonly metric: string;
  /** The series whose noise was taken: the noisiest that fits. */
  readonly noiseOf: Pick<NoiseSeries, 'workload' | 'network' | 'arm' | 'noise' | 'form' | 'unit'>;
  readonly blocks: number;
  /** Smallest true change found with 80 % power; a share for ratios, else in the unit. Null where no p is small enough. */
  readonly smallestDetectable: number | null;
  /** Power to find a change of twice the margin. */
  readonly powerAtTwiceMargin: number;
  /** Power to find no change equivalent. */
  readonly powerOfEquivalence: number;
  /** Whether it is of a whole audience, whose segments are supposed to vary as the series does, each for itself. */
  readonly ofAudience: boolean;
  readonly margin: number;
  /** Of an audience: blocks with which 80 % of runs find no change equivalent. Null beyond 200, and of all else. */
  readonly blocksOfEquivalence: number | null;
}

/**
 * The noisiest series of the family's metric on the plan's networks; of its own workloads where they were calibrated. The networks of
 * an audience are hardly ever calibrated: there it is the noisiest on any network.
 */
function noiseFor(
  plan: Plan,
  family: PrimaryFamily,
  calibration: CalibrationDocument,
): NoiseSeries | undefined {
  if (plan.audience !== undefined && family.pooled)
    return noisiest(
      calibration.series.filter(
        ({ metric, workload, workloadKind }) =>
          metric === family.metric && workloadKind === family.kind && workload !== pooledWorkload,
      ),
    );
  const networks = new Set(plan.conditions.map(({ network }) => network));
  const ids = new Set(plan.workloads.map(({ id }) => id));
  const ofMetric = calibration.series.filter(
    ({ metric, network, workloadKind }) =>
      metric === family.metric && workloadKind === family.kind && networks.has(network),
  );
  const exact = ofMetric.filter(({ workload }) =>
    family.pooled ? workload === pooledWorkload : ids.has(workload),
  );
  return noisiest(exact.length > 0 ? exact : ofMetric);
}

function noisiest(series: readonly NoiseSeries[]): NoiseSeries | undefined {
  return series.reduce<NoiseSeries | undefined>(
    (worst, known) => (worst === undefined || known.noise > worst.noise ? known : worst),
    undefined,
  );
}

/** One forecast for each primary family that the calibration has noise for. */
export function forecastPlan(plan: Plan, calibration: CalibrationDocument): FamilyForecast[] {
  return primaryFamilies(plan).flatMap((family) => {
    const series = noiseFor(plan, family, calibration);
    const ownMargin = plan.margins[family.metric] ?? metricDefinition(family.metric)?.margin;
    if (series === undefined || ownMargin === undefined) return [];
    const isRatio = series.form === 'ratio';
    const margin = isRatio ? Math.log1p(ownMargin) : ownMargin;
    const alpha = defaultAlpha / family.comparisons;
    const ofAudience = plan.audience !== undefined && family.pooled;
    // The mean over segments that vary each for itself.
    const noise = ofAudience ? series.noise / Math.sqrt(family.effectiveSites) : series.noise;
    const { blocks } = family;
    const smallest = smallestPlannedEffect({ test: family.test, blocks, alpha, noise, margin });
    const reach = normalReach(locationTests[family.test], alpha);
    const power = (effect: number): number => decidingShare(reach, blocks, { effect, scale: noise, margin });
    const { workload, network, arm, form, unit } = series;
    return [
      {
        metric: family.metric,
        noiseOf: { workload, network, arm, noise, form, unit },
        blocks,
        smallestDetectable: smallest === null || !isRatio ? smallest : Math.expm1(smallest),
        powerAtTwiceMargin: power(isRatio ? Math.log1p(2 * ownMargin) : 2 * ownMargin),
        powerOfEquivalence: power(0),
        ofAudience,
        margin: ownMargin,
        blocksOfEquivalence: ofAudience
          ? blocksToDecide(reach, { effect: 0, scale: noise, margin }, maxBlocksNeeded)
          : null,
      },
    ];
  });
}
