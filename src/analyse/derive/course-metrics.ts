import { disturbancesOf } from '../../core/metrics/evidence/disturbances.ts';
import { sum } from '../../core/metrics/evidence/numbers.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { DerivedPart } from './derived-part.ts';

/** How the trial got over what the schedule of its link did; nothing where nothing was scheduled. */
export function courseMetrics({ linkCourse, linkSchedule }: RawTrial): DerivedPart {
  if (linkCourse === undefined || linkSchedule === undefined) return { metrics: {}, warnings: [] };
  const up = linkCourse.up.map(([, , , bytes]) => bytes);
  const down = linkCourse.down.map(([, , , bytes]) => bytes);
  const isUpload = sum(up) > sum(down);
  const metrics = evaluate('course', {
    binMs: linkCourse.binMs,
    bytes: isUpload ? up : down,
    disturbances: disturbancesOf(isUpload ? linkSchedule.up : linkSchedule.down),
  });
  return {
    metrics,
    warnings:
      metrics['rateRecoveryMs'] === null
        ? ['rateRecoveryMs: the transfer ended before its rate was back at 90 %']
        : [],
  };
}
