import { disturbancesOf } from '../../core/metrics/evidence/disturbances.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { busierDirection } from './course-series.ts';
import type { DerivedPart } from './derived-part.ts';

/** How the trial got over what the schedule of its link did; nothing where nothing was scheduled. */
export function courseMetrics({ linkCourse, linkSchedule }: RawTrial): DerivedPart {
  if (linkCourse === undefined || linkSchedule === undefined) return { metrics: {}, warnings: [] };
  const { direction, bytes } = busierDirection(linkCourse);
  const metrics = evaluate('course', {
    binMs: linkCourse.binMs,
    bytes,
    disturbances: disturbancesOf(linkSchedule[direction]),
  });
  return {
    metrics,
    warnings:
      metrics['rateRecoveryMs'] === null
        ? ['rateRecoveryMs: the transfer ended before its rate was back at 90 %']
        : [],
  };
}
