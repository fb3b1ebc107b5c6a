import { sum } from '../../core/metrics/evidence/numbers.ts';
import type { CourseSeries } from '../../core/model/link-courses.ts';
import type { RawTrial } from '../../core/model/raw-trial.ts';
import type { LinkCourse } from '../../core/model/schedule.ts';
import { megabitsPerSecond } from '../../core/model/units.ts';

/** More would be finer than a picture of it. */
const maxSteps = 120;

/** Bytes that left the link in each of its stretches, in the direction in which most did. */
export function busierDirection(course: LinkCourse): {
  readonly direction: 'up' | 'down';
  readonly bytes: readonly number[];
} {
  const up = course.up.map(([, , , bytes]) => bytes);
  const down = course.down.map(([, , , bytes]) => bytes);
  return sum(up) > sum(down) ? { direction: 'up', bytes: up } : { direction: 'down', bytes: down };
}

/** What crossed the link over time, and what was in force; undefined where nothing was scheduled or nothing crossed. */
export function courseSeriesOf({ linkCourse, linkSchedule }: RawTrial): CourseSeries | undefined {
  if (linkCourse === undefined || linkSchedule === undefined) return undefined;
  const { direction, bytes } = busierDirection(linkCourse);
  const used = bytes.findLastIndex((count) => count > 0) + 1;
  if (used === 0) return undefined;
  const perStep = Math.ceil(used / maxSteps);
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
