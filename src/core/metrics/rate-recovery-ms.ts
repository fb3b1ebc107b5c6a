import { bytesWithin, endMsOf } from './evidence/disturbances.ts';
import type { Metric, MetricValue } from './metric.ts';
import type { CourseInput } from './metric-inputs.ts';

/** By what came in it the rate before is known; without it nothing had to recover. */
const beforeMs = 1000;
/** As long as that the rate must be there again. */
const windowMs = 500;
const recoveredShare = 0.9;

function recovery(course: CourseInput): MetricValue {
  const [first] = course.disturbances;
  if (first === undefined || first.fromMs < beforeMs) return undefined;
  const wanted =
    (bytesWithin(course, first.fromMs - beforeMs, first.fromMs) * recoveredShare * windowMs) / beforeMs;
  const endMs = endMsOf(course);
  if (wanted === 0 || endMs <= first.toMs) return undefined;
  const firstBin = Math.ceil(first.toMs / course.binMs);
  for (let fromMs = firstBin * course.binMs; fromMs + windowMs <= endMs; fromMs += course.binMs)
    if (bytesWithin(course, fromMs, fromMs + windowMs) >= wanted) return fromMs - first.toMs;
  return null;
}

export const rateRecoveryMs: Metric = {
  name: 'rateRecoveryMs',
  title: 'time to recover the rate after an outage',
  meaning:
    'From the end of the first outage or burst of loss to half a second with 90 % of the rate of the second before it.',
  unit: 'ms',
  form: 'difference',
  margin: 250,
  higherIsBetter: false,
  kinds: ['download', 'video'],
  onDeadline: 'time',
  formulas: { course: recovery },
};
