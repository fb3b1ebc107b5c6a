import { megabitsPerSecond } from '../model/units.ts';
import { bytesWithin, endMsOf } from './evidence/disturbances.ts';
import { sum } from './evidence/numbers.ts';
import type { Metric, MetricValue } from './metric.ts';
import type { CourseInput } from './metric-inputs.ts';

function rateDuring(course: CourseInput): MetricValue {
  const endMs = endMsOf(course);
  const met = course.disturbances
    .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, endMs) }))
    .filter(({ fromMs, toMs }) => toMs > fromMs);
  if (met.length === 0) return undefined;
  return megabitsPerSecond(
    sum(met.map(({ fromMs, toMs }) => bytesWithin(course, fromMs, toMs))),
    sum(met.map(({ fromMs, toMs }) => toMs - fromMs)),
  );
}

export const rateDuringMbps: Metric = {
  name: 'rateDuringMbps',
  title: 'rate during outages and bursts of loss',
  meaning: 'IP bits that crossed the link while the schedule had it out or lossy, over that time.',
  unit: 'Mbit/s',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: true,
  kinds: ['download', 'video'],
  onDeadline: 'missing',
  formulas: { course: rateDuring },
};
