import { metricsOfKind } from '../../core/metrics/registry.ts';
import type { JourneyStep } from '../../core/model/raw-trial.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import type { DerivedPart } from './derived-part.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import { objectMetrics } from './object-metrics.ts';
import { loadMetrics } from './page-metrics.ts';

/** A journey as a whole. */
export function journeyMetrics(
  steps: readonly JourneyStep[],
  objects: readonly NetworkObject[],
): DerivedPart {
  const { metrics, warnings } = objectMetrics(objects);
  return { metrics: { ...metrics, ...evaluate('journey', { steps }) }, warnings };
}

/** Every step with metrics of its own; what was asked for between two steps belongs to the earlier. */
export function stepsOfJourney(
  steps: readonly JourneyStep[],
  objects: readonly NetworkObject[],
): NonNullable<TrialRecord['steps']> {
  const known = new Set(metricsOfKind('journey').map(({ name }) => name));
  return steps.map((step, index) => {
    const untilEpochMs = steps[index + 1]?.startEpochMs ?? Infinity;
    const own = objects.filter(
      ({ startEpochMs }) =>
        startEpochMs !== null && startEpochMs >= step.startEpochMs && startEpochMs < untilEpochMs,
    );
    const all = { ...objectMetrics(own).metrics, ...metricsOfLoad(step, own), ...evaluate('step', step) };
    return {
      name: step.name,
      metrics: Object.fromEntries(Object.entries(all).filter(([name]) => known.has(name))),
    };
  });
}

/** Of the document that a step loaded; of a step that loaded none what moved on the page. */
function metricsOfLoad(
  { timings, cls }: JourneyStep,
  objects: readonly NetworkObject[],
): Record<string, number | null> {
  if (timings === null) return cls === null ? {} : { cls };
  const metrics = loadMetrics(timings, objects);
  // A later document has its connection already: no time of a step, and none that is missing.
  return Object.fromEntries(
    Object.entries(metrics).filter(([name, value]) => value !== null || !/connect/i.test(name)),
  );
}
