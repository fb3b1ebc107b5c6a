import type { ExposureName } from '../../core/metrics/rare-events.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { maxBlocksNeeded } from '../../core/model/blocks-needed.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { PlannedExposure } from '../../core/model/rare-events.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { defaultAlpha } from '../comparison/comparison-rules.ts';
import { blocksToEqualRates, rateInterval } from '../statistics/poisson-rates.ts';

/** One-sided, as an arm's bound in a comparison. */
const boundLevel = 0.9;

/** What is told of a kind, by the metric that counts it: one sees as much of all its other events. */
const told: Partial<Readonly<Record<WorkloadKind, string>>> = {
  video: 'stallCount',
  messages: 'lostMessages',
};

/**
 * What a plan lets one see of rare events.
 *
 * @param exposureOf what a trial of this workload lets one see; undefined where that is not known beforehand
 */
export function forecastEvents(
  { workloads, conditions, repetitions }: Pick<Plan, 'workloads' | 'conditions' | 'repetitions'>,
  exposureOf: (workload: string, name: ExposureName) => number | undefined,
): PlannedExposure[] {
  const kinds = new Set(workloads.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const events = metricDefinition(told[kind] ?? '')?.rareEvents;
    const ids = new Set(workloads.flatMap((workload) => (workload.kind === kind ? [workload.id] : [])));
    const ofKind = conditions.filter(({ workload }) => ids.has(workload));
    const known = ofKind.flatMap(({ workload }) =>
      events === undefined ? [] : (exposureOf(workload, events.exposure) ?? []),
    );
    if (events === undefined || known.length < ofKind.length || known.length === 0) return [];
    const { nouns, unit, unitExposure, marginPerUnit: margin } = events;
    const block = { events: 0, exposure: Math.min(...known) / unitExposure };
    const exposure = block.exposure * repetitions;
    return [
      {
        nouns: [nouns[0], nouns[1]],
        unit,
        exposure,
        boundIfNone: rateInterval({ events: 0, exposure }, boundLevel)?.[1] ?? Infinity,
        margin,
        blocksToEqual: blocksToEqualRates([{ baseline: block, candidate: block }], {
          margin,
          alpha: defaultAlpha,
          maxBlocks: maxBlocksNeeded,
        }),
      } satisfies PlannedExposure,
    ];
  });
}
