import { sum } from '../../core/metrics/evidence/numbers.ts';
import type { CourseSeries } from '../../core/model/link-courses.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import { megabitsPerSecond } from '../../core/model/units.ts';

/** More would be finer than a picture of it. */
const mostSteps = 120;

/** What crossed the link over time, and what was in force; undefined where nothing was scheduled or nothing crossed. */
export function courseSeriesOf({ linkCourse, linkSchedule }: RawTrial): CourseSeries | undefined {
  if (linkCourse === undefined || linkSchedule === undefined) return undefined;
  const bytesOf = (direction: 'up' | 'down'): number[] => linkCourse[direction].map(([, , , bytes]) => bytes);
  const direction = sum(bytesOf('up')) > sum(bytesOf('down')) ? 'up' : 'down';
  const bytes = bytesOf(direction);
  const used = bytes.findLastIndex((count) => count > 0) + 1;
  if (used === 0) return undefined;
  const perStep = Math.ceil(used / mostSteps);
  const stepMs = perStep * linkCourse.binMs;
  const mbps = Array.from({ length: Math.ceil(used / perStep) }, (_, step) => {
    const stepBytes = sum(bytes.slice(step * perStep, (step + 1) * perStep));
    return Number(megabitsPerSecond(stepBytes, stepMs).toPrecision(4));
  });
  const untilMs = stepMs * mbps.length;
  return {
    direction,
    stepMs,
    mbps,
    schedule: linkSchedule[direction]
      .filter(({ fromMs }) => fromMs < untilMs)
      .map((stretch) => ({ ...stretch, toMs: Math.min(stretch.toMs, untilMs) })),
  };
}
