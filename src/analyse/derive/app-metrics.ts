import { evaluate } from '../../core/metrics/evaluate.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { DerivedPart } from './derived-part.ts';

/** How long a page or a journey waited for the app that it is of; nothing of other workloads. */
export function appMetrics({ app, timings, journey }: RawTrial): DerivedPart {
  if (app === undefined) return { metrics: {}, warnings: [] };
  const loadedEpochMs =
    journey === undefined && timings !== null
      ? timings.timeOriginEpochMs + timings.loadEventEndMs
      : undefined;
  return {
    metrics: evaluate('app', { waits: app.waits, untilEpochMs: loadedEpochMs ?? Number.POSITIVE_INFINITY }),
    warnings: [],
  };
}
