import { isPluralTitle, metricDefinition } from '../../core/metrics/registry.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { beOf, changeRange, directionWords, percent, quantity, rangeText } from '../figures/figures.ts';
import { largeFactors, withFactor } from '../wording/large-factors.ts';
import { amountOf } from '../wording/mean-range.ts';

/** How a metric feels to whom it happens to; `{}` stands for the amount. */
interface FeltWords {
  readonly subject: string;
  readonly more: string;
  readonly less: string;
  readonly same: string;
}

const sooner = (what: string, same = `${what} as fast`): Omit<FeltWords, 'subject'> => ({
  more: `${what} {} later`,
  less: `${what} {} sooner`,
  same,
});
const throughput = {
  more: 'get {} higher throughput',
  less: 'get {} lower throughput',
  same: 'get the same throughput',
};
const bitrate = {
  subject: 'your viewers',
  more: 'watch at {} higher bitrate',
  less: 'watch at {} lower bitrate',
  same: 'watch at the same bitrate',
};

const words: Readonly<Record<string, FeltWords>> = {
  pltMs: { subject: 'your pages', ...sooner('open') },
  fcpMs: { subject: 'your pages', ...sooner('show their first content') },
  lcpMs: { subject: 'your pages', ...sooner('show their main content') },
  speedIndexMs: { subject: 'your pages', ...sooner('fill the screen') },
  startupDelayMs: {
    subject: 'your viewers',
    more: 'wait {} longer for the first picture',
    less: 'wait {} less for the first picture',
    same: 'wait as long for the first picture',
  },
  stallTotalMs: {
    subject: 'your viewers',
    more: 'see stalls {} longer in all',
    less: 'see stalls {} shorter in all',
    same: 'see no more stalls',
  },
  // Of padded ladders the tracks differ in bitrate alone, so only what compares pictures speaks of quality.
  meanVmaf: {
    subject: 'your viewers',
    more: 'see a picture that scores {} higher (VMAF)',
    less: 'see a picture that scores {} lower (VMAF)',
    same: 'see the same picture quality',
  },
  averageChunkBitrateKbps: bitrate,
  timeWeightedBitrateKbps: bitrate,
  meanChunkThroughputMbps: { subject: 'your videos', ...throughput },
  throughputMbps: { subject: 'your downloads', ...throughput },
  uploadMs: { subject: 'your uploads', ...sooner('end') },
  uploadStallMs: {
    subject: 'your uploads',
    more: 'stall {} longer in all',
    less: 'stall {} shorter in all',
    same: 'stall no longer',
  },
  uploadMbps: { subject: 'your uploads', ...throughput },
  journeyMs: {
    subject: 'your journeys',
    more: 'take {} longer',
    less: 'take {} less time',
    same: 'take as long',
  },
  messageP99Ms: { subject: 'your slowest messages', ...sooner('come back') },
  messageP50Ms: { subject: 'your messages', ...sooner('come back') },
  totalRequestTimeMs: { subject: 'your downloads', ...sooner('end') },
  totalWithConnectMs: { subject: 'your downloads', ...sooner('end') },
};

/** What a viewer feels first, in this order; throughput comes after. */
export const userPerceivedMetrics: readonly string[] = [
  'startupDelayMs',
  'stallTotalMs',
  'meanVmaf',
  'averageChunkBitrateKbps',
];

export function feltWords(metric: string): FeltWords {
  const title = metricDefinition(metric)?.title ?? metric;
  const [more, less] = directionWords(title, metricDefinition(metric)?.unit ?? '');
  return (
    words[metric] ?? {
      subject: title,
      more: `${beOf([title])} {} ${more}`,
      less: `${beOf([title])} {} ${less}`,
      same: `${beOf([title])} the same`,
    }
  );
}

/** Users do not feel a part of a millisecond of what lasts longer than this. */
const wholeFromMs = 10;

/** A span of time as people say it: `60 ms`, `2.04 s`. */
export function spokenTime(durationMs: number): string {
  return Math.abs(durationMs) >= 999.5
    ? quantity(durationMs / 1000, 's')
    : quantity(Math.abs(durationMs) >= wholeFromMs ? Math.round(durationMs) : durationMs, 'ms');
}

/**
 * The effect as a change of the candidate in the metric's own unit; null where nothing is known. Of a ratio it is that share of
 * the baseline's median, next to which it is read: the median of changes may lie elsewhere.
 */
export function changeInUnit({ difference, ratio, baseline }: Comparison): number | null {
  if (ratio !== null && baseline.median !== null) return (ratio - 1) * baseline.median;
  return difference !== null && Number.isFinite(difference) ? difference : null;
}

function amountInUnit(value: number, unit: string): string {
  return unit === 'ms' ? spokenTime(value) : quantity(value, unit);
}

/** How far the candidate goes: `60 ms (4.1 %)`, `61 %`; several of them as a range. Times that differ by ratio have both. */
export function amountText(comparisons: readonly Comparison[]): string {
  const [first] = comparisons;
  if (first === undefined) return '';
  const ratios = comparisons.map(({ ratio }) => ratio).filter((ratio) => ratio !== null);
  const changes = comparisons.map(changeInUnit).filter((change) => change !== null);
  const relative = largeFactors(ratios) ?? changeRange(ratios);
  const inUnit = rangeText(
    changes.map((change) => Math.abs(change)),
    (value) => amountInUnit(value, first.unit),
  );
  if (ratios.length < comparisons.length) return inUnit;
  return first.unit === 'ms' && inUnit !== '' ? `${inUnit} (${relative})` : relative;
}

/** Whether the candidate has more of the metric, by the point estimate. */
export function hasMore({ ratio, difference }: Comparison): boolean {
  return ratio !== null ? ratio > 1 : (difference ?? 0) > 0;
}

/** What comparisons that came out alike mean to a user: `open 60 ms (4.1 %) sooner`. Decided ones only. */
export function feltPhrase(comparisons: readonly Comparison[]): string {
  const [first] = comparisons;
  if (first === undefined) return '';
  const { more, less, same } = feltWords(first.metric);
  if (first.verdict === 'equivalent') return same;
  const template = hasMore(first) ? more : less;
  const amount = amountText(comparisons);
  return amount.startsWith('a factor') ? withFactor(template, amount) : template.replace('{}', amount);
}

/** `is 3 ms longer` as it stands behind `may`. */
const infinitive = (predicate: string): string => predicate.replace(/^(is|are) /, 'be ');

/** What is said of a metric's subject where nothing is decided: `have no result yet`. */
export function noResultYet(metric: string): string {
  return `${hasPluralSubject(metric) ? 'have' : 'has'} no result yet`;
}

/** Pages, viewers and downloads are many; a metric that is its own subject has its own number. */
export function hasPluralSubject(metric: string): boolean {
  return words[metric] !== undefined || isPluralTitle(feltWords(metric).subject);
}

/**
 * What an undecided comparison may mean to a user: `have no result yet: between 20 ms sooner and 80 ms later`, or
 * `may open 20 to 80 ms later` where the interval lies on one side and something else leaves it open; null without one.
 */
export function openPhrase(comparison: Comparison): string | null {
  const { ratio, ratioInterval, differenceInterval, baseline, unit, metric } = comparison;
  const interval = ratio !== null ? ratioInterval : differenceInterval;
  if (interval === null) return null;
  const scale = baseline.median;
  const inUnit = ratio !== null && unit === 'ms' && scale !== null;
  const changes = interval.map((end) => (ratio !== null ? end - 1 : end));
  const amountIn = (change: number): string =>
    ratio === null ? amountInUnit(change, unit) : inUnit ? spokenTime(change * scale) : percent(change);
  const { more, less } = feltWords(metric);
  if (changes.every((change) => change > 0) || changes.every((change) => change < 0)) {
    const range = rangeText(changes.map(Math.abs), amountIn);
    return `may ${infinitive(hasMore(comparison) ? more : less).replace('{}', range)}`;
  }
  // `open {} later` stands here as `{} later`.
  const ends = changes.map((change) => amountOf(change > 0 ? more : less).replace('{}', amountIn(change)));
  return `${noResultYet(metric)}: between ${ends.join(' and ')}`;
}
