import { isPluralTitle, metricDefinition } from '../../core/metrics/registry.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { beOf, directionWords, percent, quantity, rangeText } from '../figures/figures.ts';
import { ratioAmount, type Amount } from '../wording/amount.ts';
import {
  headText,
  higherOrLower,
  predicateText,
  soonerOrLater,
  type Predicate,
  type VerbForm,
} from '../wording/predicate.ts';

/** How a metric feels to whom it happens to. */
interface FeltWords {
  readonly subject: string;
  /** What the subject does where the candidate has more of it. */
  readonly more: Predicate;
  readonly less: Predicate;
  /** The whole predicate where both have as much. */
  readonly same: string;
}

const sooner = (head: Pick<Predicate, 'verb' | 'own' | 'object'>): Omit<FeltWords, 'subject'> => ({
  ...soonerOrLater(head),
  same: `${headText(head, 'several')} as fast`,
});
const throughput = { ...higherOrLower({ verb: 'get' }, 'throughput'), same: 'get the same throughput' };
const bitrate = {
  subject: 'your viewers',
  ...higherOrLower({ verb: 'watch', object: 'at' }, 'bitrate'),
  same: 'watch at the same bitrate',
};
const vmaf = { verb: 'see', object: 'a picture that scores', rest: '(VMAF)' } as const;
const stalls = { verb: 'see', object: 'stalls', rest: 'in all' } as const;

const words: Readonly<Record<string, FeltWords>> = {
  pltMs: { subject: 'your pages', ...sooner({ verb: 'open' }) },
  fcpMs: { subject: 'your pages', ...sooner({ verb: 'show', own: 'first content' }) },
  lcpMs: { subject: 'your pages', ...sooner({ verb: 'show', own: 'main content' }) },
  speedIndexMs: { subject: 'your pages', ...sooner({ verb: 'fill', object: 'the screen' }) },
  startupDelayMs: {
    subject: 'your viewers',
    more: { verb: 'wait', side: 'longer', rest: 'for the first picture' },
    less: { verb: 'wait', side: 'less', rest: 'for the first picture' },
    same: 'wait as long for the first picture',
  },
  stallTotalMs: {
    subject: 'your viewers',
    more: { ...stalls, side: 'longer' },
    less: { ...stalls, side: 'shorter' },
    same: 'see no more stalls',
  },
  // Of padded ladders the tracks differ in bitrate alone, so only what compares pictures speaks of quality.
  meanVmaf: {
    subject: 'your viewers',
    more: { ...vmaf, side: 'higher' },
    less: { ...vmaf, side: 'lower' },
    same: 'see the same picture quality',
  },
  averageChunkBitrateKbps: bitrate,
  timeWeightedBitrateKbps: bitrate,
  meanChunkThroughputMbps: { subject: 'your videos', ...throughput },
  throughputMbps: { subject: 'your downloads', ...throughput },
  uploadMs: { subject: 'your uploads', ...sooner({ verb: 'end' }) },
  uploadStallMs: {
    subject: 'your uploads',
    more: { verb: 'stall', side: 'longer', rest: 'in all' },
    less: { verb: 'stall', side: 'shorter', rest: 'in all' },
    same: 'stall no longer',
  },
  uploadMbps: { subject: 'your uploads', ...throughput },
  journeyMs: {
    subject: 'your journeys',
    more: { verb: 'take', side: 'longer' },
    less: { verb: 'take', side: 'less', rest: 'time' },
    same: 'take as long',
  },
  messageP99Ms: { subject: 'your slowest messages', ...sooner({ verb: 'come', object: 'back' }) },
  messageP50Ms: { subject: 'your messages', ...sooner({ verb: 'come', object: 'back' }) },
  totalRequestTimeMs: { subject: 'your downloads', ...sooner({ verb: 'end' }) },
  totalWithConnectMs: { subject: 'your downloads', ...sooner({ verb: 'end' }) },
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
      more: { verb: 'be', side: more },
      less: { verb: 'be', side: less },
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

/**
 * How far the candidate goes: `60 ms (4.1 %)`, `61 %`; several of them as a range. Times that differ by ratio have both, where they are
 * of one page: the mean of ratios over several is that of no time.
 */
export function amountOf(comparisons: readonly Comparison[]): Amount {
  const [first] = comparisons;
  if (first === undefined) return { text: '' };
  const ratios = comparisons.map(({ ratio }) => ratio).filter((ratio) => ratio !== null);
  const changes = comparisons.map(changeInUnit).filter((change) => change !== null);
  const relative = ratioAmount(ratios);
  const inUnit = rangeText(
    changes.map((change) => Math.abs(change)),
    (value) => amountInUnit(value, first.unit),
  );
  if (ratios.length < comparisons.length) return { text: inUnit };
  const isOfOne = comparisons.every(({ heterogeneity }) => heterogeneity === undefined);
  return first.unit === 'ms' && inUnit !== '' && isOfOne
    ? { text: `${inUnit} (${relative.text})` }
    : relative;
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
  return predicateText(hasMore(first) ? more : less, amountOf(comparisons), feltForm(first.metric));
}

/** What is said of a metric's subject where nothing is decided: `have no result yet`. */
export function noResultYet(metric: string): string {
  return `${hasPluralSubject(metric) ? 'have' : 'has'} no result yet`;
}

/** Pages, viewers and downloads are many; a metric that is its own subject has its own number. */
export function hasPluralSubject(metric: string): boolean {
  return words[metric] !== undefined || isPluralTitle(feltWords(metric).subject);
}

/** How verbs stand behind a metric's subject. */
export function feltForm(metric: string): VerbForm {
  return hasPluralSubject(metric) ? 'several' : 'one';
}

/**
 * What an undecided comparison may mean to a user: `have no result yet: between 20 ms sooner and 80 ms later`, or
 * `may open 20 to 80 ms later` where the interval lies on one side and something else leaves it open; null without one.
 */
export function openPhrase(comparison: Comparison): string | null {
  const { ratio, ratioInterval, differenceInterval, baseline, unit, metric, heterogeneity } = comparison;
  const interval = ratio !== null ? ratioInterval : differenceInterval;
  if (interval === null) return null;
  const scale = baseline.median;
  const inUnit = ratio !== null && unit === 'ms' && scale !== null && heterogeneity === undefined;
  const changes = interval.map((end) => (ratio !== null ? end - 1 : end));
  const amountIn = (change: number): string =>
    ratio === null ? amountInUnit(change, unit) : inUnit ? spokenTime(change * scale) : percent(change);
  const { more, less } = feltWords(metric);
  if (changes.every((change) => change > 0) || changes.every((change) => change < 0)) {
    const text = rangeText(changes.map(Math.abs), amountIn);
    return `may ${predicateText(hasMore(comparison) ? more : less, { text }, 'may')}`;
  }
  // `open 20 ms later` stands here as `20 ms later`.
  const ends = changes.map((change) => `${amountIn(change)} ${(change > 0 ? more : less).side}`);
  return `${noResultYet(metric)}: between ${ends.join(' and ')}`;
}
