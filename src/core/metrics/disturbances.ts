import { megabitsPerSecond } from '../model/units.ts';
import { bytesWithin, endMsOf } from './evidence/disturbances.ts';
import { sum } from './evidence/numbers.ts';
import type { CourseInput } from './metric-inputs.ts';
import { timeAsDifference, timeAsRatio, type Metric, type MetricValue } from './metric.ts';

/** By what came in it the rate before is known; without it nothing had to recover. */
const beforeMs = 1000;

/** As long as that the rate must be there again. */
const windowMs = 500;

const recoveredShare = 0.9;

function rateRecovery(course: CourseInput): MetricValue {
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

/** What asks and acknowledges is smaller; of a page's data there is a packet at least. */
const minDataBytes = 1000;

function resumeAfterOutage(course: CourseInput): MetricValue {
  const { binMs, bytes, disturbances } = course;
  const [first] = disturbances;
  if (first === undefined || endMsOf(course) <= first.toMs) return undefined;
  const firstBin = Math.ceil(first.toMs / binMs);
  const bin = bytes.findIndex((count, index) => index >= firstBin && count >= minDataBytes);
  return bin < 0 ? undefined : bin * binMs - first.toMs;
}

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

/** What an outage, a burst of loss or a lost address costs. */
export const disturbanceMetrics: readonly Metric[] = [
  {
    name: 'recoveryMs',
    title: 'time to recover from the loss of the address',
    meaning: 'From the loss of the client’s address to the first new byte of the body.',
    source: 'Liu et al. 2025, §4.3',
    ...timeAsRatio,
    margin: 0.05,
    kinds: ['download'],
    onDeadline: 'missing',
    formulas: {
      download: ({ streams }) => {
        const times = streams.flatMap(({ handover }) =>
          handover === undefined ? [] : [handover.recoveredMs - handover.lostMs],
        );
        return times.length === 0 ? undefined : Math.max(...times);
      },
    },
  },
  {
    name: 'rateRecoveryMs',
    title: 'time to recover the rate after an outage',
    meaning:
      'From the end of the first outage or burst of loss to half a second with 90 % of the rate of the second before it.',
    ...timeAsDifference,
    margin: 250,
    kinds: ['download', 'upload', 'video'],
    onDeadline: 'time',
    formulas: { course: rateRecovery },
  },
  {
    name: 'outageResumeMs',
    title: 'time until data flows after an outage',
    meaning:
      'From the end of the first outage or burst of loss to the first packets of data, in steps of 50 ms.',
    ...timeAsDifference,
    margin: 100,
    kinds: ['page', 'journey', 'video', 'download', 'upload'],
    onDeadline: 'missing',
    formulas: { course: resumeAfterOutage },
  },
  {
    name: 'rateDuringMbps',
    title: 'rate during outages and bursts of loss',
    meaning: 'IP bits that crossed the link while the schedule had it out or lossy, over that time.',
    unit: 'Mbit/s',
    form: 'difference',
    margin: 0.5,
    higherIsBetter: true,
    kinds: ['download', 'upload', 'video'],
    onDeadline: 'missing',
    formulas: { course: rateDuring },
  },
];
