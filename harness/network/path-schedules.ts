import { isScheduled, type DirectionSpec, type NetworkSpec } from '../../src/core/model/network-spec.ts';
import type { PathStart } from '../../src/core/model/path-start.ts';
import { courseOf, stretchesOf, type Course } from '../../src/core/model/schedule-course.ts';
import { deriveSeed, seededRandom } from '../../src/core/model/seeded-random.ts';
import { readSchedule } from './traces/read-schedule.ts';

/** Both directions' schedules; null where nothing is scheduled. */
export interface PathCourses {
  readonly up: Course | null;
  readonly down: Course | null;
  /** Whether what repeats begins at its beginning, and not at a place that depends on the seed. Default: no. */
  readonly fromStart?: boolean;
}

/** Of a path on which nothing is scheduled. */
export const noCourses: PathCourses = { up: null, down: null };

async function courseOfDirection(direction: DirectionSpec): Promise<Course | null> {
  if (!isScheduled(direction)) return null;
  const { schedule = [], scheduleFile } = direction;
  return courseOf(schedule, scheduleFile === undefined ? null : await readSchedule(scheduleFile, direction));
}

/** @throws H2h3Error `bad-input` for a file that cannot be read or used */
export async function coursesOf({ up, down }: NetworkSpec): Promise<PathCourses> {
  return { up: await courseOfDirection(up), down: await courseOfDirection(down) };
}

export interface ScheduledStart {
  /** Where what repeats begins: whole, so that ends of steps stay what they are. */
  readonly offsetMs: number;
  readonly schedule: NonNullable<PathStart['schedule']>;
}

/**
 * What is in force when, in a block: the same for all its arms, what repeats from anywhere in the longer of both rounds, or from its
 * beginning. Null where nothing is scheduled.
 */
export function scheduleOf(
  { up, down, fromStart = false }: PathCourses,
  blockSeed: number,
  untilMs: number,
): ScheduledStart | null {
  if (up === null && down === null) return null;
  const roundMs = Math.max(up?.roundMs ?? 0, down?.roundMs ?? 0);
  const place = seededRandom(deriveSeed(blockSeed, 'schedule-offset')).next();
  const offsetMs = fromStart ? 0 : Math.floor(place * roundMs);
  return {
    offsetMs,
    schedule: {
      up: up === null ? [] : stretchesOf(up, offsetMs, untilMs),
      down: down === null ? [] : stretchesOf(down, offsetMs, untilMs),
    },
  };
}
