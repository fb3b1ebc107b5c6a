import type { DirectionSpec, NetworkSpec } from '../../src/core/model/network-spec.ts';
import type { Course } from '../../src/core/model/schedule-course.ts';
import { coursesOf } from './path-schedules.ts';
import { tracesOf } from './path-traces.ts';
import { eachSecondMbps, type Trace } from './traces/trace.ts';

/** The highest rate that each direction of a network ever has, Mbit/s; null: it has no limit. */
export async function highestRates(
  spec: NetworkSpec,
): Promise<Readonly<Record<'up' | 'down', number | null>>> {
  const [traces, courses] = await Promise.all([tracesOf(spec), coursesOf(spec)]);
  return {
    up: highestOf(spec.up, traces.up, courses.up),
    down: highestOf(spec.down, traces.down, courses.down),
  };
}

function highestOf({ rateMbps }: DirectionSpec, trace: Trace | null, course: Course | null): number | null {
  const steps = course === null ? [] : [...course.once, ...course.repeating];
  const rates = [
    ...(rateMbps === null ? [] : [rateMbps]),
    ...(trace === null ? [] : eachSecondMbps(trace, 0, Math.ceil(trace.lengthMs / 1000))),
    ...steps.flatMap((step) => step.rateMbps ?? []),
  ];
  return rates.length === 0 ? null : Math.max(...rates);
}
