import type { DirectionSpec, NetworkSpec } from '../model/network-spec.ts';
import { faultsOfSchedule, type ScheduleItem } from '../model/schedule-course.ts';

type Schedule = NonNullable<DirectionSpec['schedule']>;

/** What comes once and what repeats keep their places among themselves. */
const scheduleWith = ({ schedule = [] }: DirectionSpec, item: Schedule[number]): Schedule =>
  [...schedule, item].toSorted((a, b) => a.atMs - b.atMs);

/** The network with something that happens to both of its directions at a time. */
export function withItem(spec: NetworkSpec, item: Schedule[number]): NetworkSpec {
  const direction = (own: DirectionSpec): DirectionSpec => ({ ...own, schedule: scheduleWith(own, item) });
  return { ...spec, up: direction(spec.up), down: direction(spec.down) };
}

/** Why it cannot happen there, a clause. */
export function misfitOfItem({ up, down }: NetworkSpec, item: ScheduleItem): string | undefined {
  const [fault] = [up, down].flatMap((direction) => faultsOfSchedule(scheduleWith(direction, item)));
  return fault === undefined ? undefined : `its schedule has no place for it: ${fault.message}`;
}
