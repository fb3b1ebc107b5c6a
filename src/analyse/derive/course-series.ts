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

/** A step of a picture, of several stretches of the link's own count; null: nothing came, or nothing left. */
interface Step {
  readonly mbps: number;
  readonly delayMs: number | null;
  readonly lossPercent: number | null;
}

const digits = (value: number): number => Number(value.toPrecision(4));

function stepOf(bins: LinkCourse['down'], stepMs: number): Step {
  const total = (of: (bin: LinkCourse['down'][number]) => number): number => sum(bins.map(of));
  const came = total(([packets]) => packets);
  const left = total(([, , packets]) => packets);
  const delayUs = total(([, , packets, , meanUs]) => packets * meanUs);
  return {
    mbps: digits(
      megabitsPerSecond(
        total(([, , , bytes]) => bytes),
        stepMs,
      ),
    ),
    delayMs: left === 0 ? null : digits(delayUs / left / 1000),
    lossPercent: came === 0 ? null : digits(Math.min(100, (100 * total(([, lost]) => lost)) / came)),
  };
}

/** What crossed the link over time, and what was in force; undefined where nothing was scheduled or nothing crossed. */
export function courseSeriesOf({ linkCourse, linkSchedule }: RawTrial): CourseSeries | undefined {
  if (linkCourse === undefined || linkSchedule === undefined) return undefined;
  const { direction, bytes } = busierDirection(linkCourse);
  const used = bytes.findLastIndex((count) => count > 0) + 1;
  if (used === 0) return undefined;
  const perStep = Math.ceil(used / maxSteps);
  const stepMs = perStep * linkCourse.binMs;
  const steps = Array.from({ length: Math.ceil(used / perStep) }, (_, step) =>
    stepOf(linkCourse[direction].slice(step * perStep, (step + 1) * perStep), stepMs),
  );
  const untilMs = stepMs * steps.length;
  return {
    direction,
    stepMs,
    mbps: steps.map(({ mbps }) => mbps),
    delayMs: steps.map(({ delayMs }) => delayMs),
    lossPercent: steps.map(({ lossPercent }) => lossPercent),
    schedule: linkSchedule[direction]
      .filter(({ fromMs }) => fromMs < untilMs)
      .map((stretch) => ({ ...stretch, toMs: Math.min(stretch.toMs, untilMs) })),
  };
}
