import { megabitsPerSecond } from '../model/units.ts';
import { bytesWithin, endMsOf } from './evidence/disturbances.ts';
import { sum } from './evidence/numbers.ts';
import type { CourseInput } from './metric-inputs.ts';
import { timeAsDifference, timeAsRatio, type Metric, type MetricValue } from './metric.ts';
import { networkStalls } from './rare-events.ts';

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

/** What was under way when an outage began has come by then, whatever the window was. */
const settledMs = 1000;

function probesInOutage({ binMs, packetsIn, disturbances, bytes }: CourseInput): MetricValue {
  const [first] = disturbances;
  if (first === undefined || endMsOf({ binMs, bytes }) <= first.toMs) return undefined;
  const fromMs = first.fromMs + settledMs;
  // A burst of loss lets packets through: what comes in it are no probes.
  if (fromMs >= first.toMs || bytesWithin({ binMs, bytes }, fromMs, first.toMs) > 0) return undefined;
  return sum(packetsIn.slice(Math.ceil(fromMs / binMs), Math.floor(first.toMs / binMs)));
}

/** A stall that begins this long after an outage comes of something else (assumed). */
const outlastMs = 10_000;

function stallsOfOutages({ stalls, disturbances }: CourseInput): MetricValue {
  if (stalls === undefined || disturbances.length === 0) return undefined;
  const caused = stalls.filter((stall) =>
    disturbances.some(({ fromMs, toMs }) => stall.fromMs >= fromMs && stall.fromMs <= toMs + outlastMs),
  );
  return sum(caused.map(({ fromMs, toMs }) => toMs - fromMs));
}

/** Of the window before packets were lost, and after they were answered and repaired: not yet grown again by much. */
const windowBefore = { fromMs: -500, toMs: 0 } as const;
const windowAfter = { fromMs: 200, toMs: 500 } as const;

/** Mean bytes under way: rate × round trip (Little 1961). */
function underWayBytes(
  { binMs, bytes, delaysMs, backDelayMs }: CourseInput,
  fromMs: number,
  toMs: number,
): number {
  const from = Math.ceil(fromMs / binMs);
  const to = Math.floor(toMs / binMs);
  const each = bytes
    .slice(from, to)
    .map((count, index) => (count * ((delaysMs[from + index] ?? 0) + backDelayMs)) / binMs);
  return sum(each) / Math.max(1, to - from);
}

function windowLeft(course: CourseInput): MetricValue {
  const { countedLossMs: atMs } = course;
  if (atMs === undefined || atMs + windowBefore.fromMs < 0) return undefined;
  if (endMsOf(course) < atMs + windowAfter.toMs) return undefined;
  const before = underWayBytes(course, atMs + windowBefore.fromMs, atMs + windowBefore.toMs);
  const after = underWayBytes(course, atMs + windowAfter.fromMs, atMs + windowAfter.toMs);
  return before === 0 ? undefined : (100 * after) / before;
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
    name: 'outageStallMs',
    title: 'stall time of outages',
    meaning:
      'Total length of the stalls that begin between the beginning of an outage or burst of loss and 10 s after its end.',
    ...timeAsDifference,
    margin: 100,
    kinds: ['video'],
    onDeadline: 'missing',
    rareEvents: networkStalls,
    formulas: { course: stallsOfOutages },
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
  {
    name: 'outageProbes',
    title: 'packets into an outage',
    isPlural: true,
    meaning:
      'Packets that came to the link from a second after the beginning of the first outage until its end.',
    source: 'RFC 9002, section 6.2; RFC 6298, section 5',
    unit: 'packets',
    form: 'difference',
    margin: 2,
    higherIsBetter: false,
    kinds: ['page', 'journey', 'video', 'download'],
    onDeadline: 'missing',
    formulas: { course: probesInOutage },
  },
  {
    name: 'lossWindowPercent',
    title: 'share of the window that is left after lost packets',
    meaning:
      'Bytes under way from 200 to 500 ms after the link lost the packets that it was told to, of those in the 500 ms before.',
    source: 'RFC 9002, section 7.3.2; RFC 9438, section 4.6; RFC 5681, section 3.2',
    unit: '%',
    form: 'difference',
    margin: 10,
    higherIsBetter: true,
    kinds: ['download'],
    onDeadline: 'missing',
    formulas: { course: windowLeft },
  },
];
