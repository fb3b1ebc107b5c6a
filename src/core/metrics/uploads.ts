import type { SinkLine } from '../model/sink-line.ts';
import { megabitsPerSecond } from '../model/units.ts';
import { positiveOrNull, sum } from './evidence/numbers.ts';
import { numberAsDifference, timeAsDifference, timeAsRatio, type Metric } from './metric.ts';
import { uploadStalls } from './rare-events.ts';

/** A progress bar that rests for longer is seen to rest (Nielsen 1993, chapter 5). */
const minStallMs = 1000;

/** Times, rates and stalls of uploads. */
export const uploadMetrics: readonly Metric[] = [
  {
    name: 'uploadMs',
    title: 'upload time',
    meaning: 'Request sent to the end of the answer, which the server gives when it has the whole body.',
    source: 'W3C Resource Timing, requestStart to responseEnd',
    ...timeAsRatio,
    margin: 0.03,
    kinds: ['upload'],
    onDeadline: 'time',
    formulas: {
      upload: ({ totalMs }) => totalMs,
    },
  },
  {
    name: 'uploadMbps',
    title: 'upload throughput',
    meaning: 'Body bits over the upload time.',
    source: 'W3C Resource Timing, requestStart to responseEnd',
    unit: 'Mbit/s',
    form: 'ratio',
    margin: 0.03,
    higherIsBetter: true,
    kinds: ['upload'],
    onDeadline: 'rate',
    formulas: {
      upload: ({ bytes, totalMs }) =>
        totalMs !== null && totalMs > 0 ? megabitsPerSecond(bytes, totalMs) : null,
    },
  },
  {
    name: 'uploadStallCount',
    title: 'stalls of the upload',
    isPlural: true,
    meaning: 'How often no byte of the body came to the server for a second or more.',
    source: 'Nielsen 1993, chapter 5: after a second people notice that they wait',
    ...numberAsDifference,
    margin: 0.5,
    kinds: ['upload'],
    onDeadline: 'missing',
    rareEvents: uploadStalls,
    formulas: {
      upload: ({ arrived }) => uploadStallsMs(arrived)?.length ?? null,
    },
  },
  {
    name: 'uploadStallMs',
    title: 'time in which the upload stalled',
    meaning: 'All times of a second or more in which no byte of the body came to the server.',
    source: 'Nielsen 1993, chapter 5: after a second people notice that they wait',
    ...timeAsDifference,
    margin: 100,
    kinds: ['upload'],
    onDeadline: 'missing',
    rareEvents: uploadStalls,
    formulas: {
      upload: ({ arrived }) => {
        const stallsMs = uploadStallsMs(arrived);
        return stallsMs === null ? null : sum(stallsMs);
      },
    },
  },
  {
    name: 'uploadFullBarMs',
    title: 'time at a full progress bar',
    meaning:
      'The page was told that all is sent, to the end of the answer: of uploads by XMLHttpRequest, whose progress bar shows 100 % for so long.',
    source: 'XMLHttpRequest Standard, the event `load` of an upload',
    ...timeAsDifference,
    margin: 100,
    kinds: ['upload'],
    onDeadline: 'missing',
    formulas: {
      upload: ({ uploads: [first] }) =>
        first?.allSentMs === undefined ? undefined : fullBarMs(first.allSentMs, first.responseEndMs),
    },
  },
];

/** A page may be told that all is sent only when the answer is there; null where the time of that is withheld. */
function fullBarMs(allSentMs: number, responseEndMs: number): number | null {
  const endMs = positiveOrNull(responseEndMs);
  return endMs === null ? null : Math.max(0, endMs - allSentMs);
}

/** Lengths of the times in which no byte of a body came and that a person notices, ms; null where the sink left no account. */
function uploadStallsMs(arrived: readonly SinkLine[] | undefined): readonly number[] | null {
  if (arrived === undefined) return null;
  return arrived
    .flatMap(({ pauses }) => pauses.map(({ durationMs }) => durationMs))
    .filter((durationMs) => durationMs >= minStallMs);
}
