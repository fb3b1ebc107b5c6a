import { formatRatioPercent, formatNumber, isNumber } from '../../format/numbers.ts';
import { formOf } from '../../format/verdict-words.ts';
import type { PageComparison } from '../page-data.ts';
import { axis, numberTicks, roundStep } from './chart-options.ts';

/**
 * Where a value of `intervalOf` lies on an axis of change: ratios by their logarithm, so that a half is as far from no change as the
 * double, differences as they are.
 */
export function axisPlace(comparison: PageComparison, value: number): number {
  return formOf(comparison) === 'ratio' ? Math.log(value) : value;
}

/** The place of the estimate; NaN where there is none. */
export function placeOfEstimate(comparison: PageComparison): number {
  const { ratio, difference } = comparison;
  return axisPlace(comparison, (formOf(comparison) === 'ratio' ? ratio : difference) ?? NaN);
}

/** Places of the ends of the margin around no change. */
export function placesOfMargin(comparison: PageComparison): [number, number] {
  const { margin } = comparison;
  const end = formOf(comparison) === 'ratio' ? Math.log1p(margin) : margin;
  return [-end, end];
}

/** Titles of the arms; of several pairs what they are to each other. */
export function armsOf(shown: readonly PageComparison[]): {
  readonly baseline: string;
  readonly candidate: string;
} {
  const pairs = new Set(shown.map(({ baseline, candidate }) => `${baseline.title}\n${candidate.title}`));
  const [first] = shown;
  return pairs.size > 1 || first === undefined
    ? { baseline: 'baseline', candidate: 'candidate' }
    : { baseline: first.baseline.title, candidate: first.candidate.title };
}

/** Title of the axis of change, with what its ends mean where there is room. */
function changeTitle(comparison: PageComparison, shown: readonly PageComparison[]): string {
  const { unit } = comparison;
  const { baseline, candidate } = armsOf(shown);
  const change = `change with ${candidate}${formOf(comparison) === 'ratio' || unit === '' ? '' : `, ${unit}`}`;
  if (innerWidth < 700) return `(← better) ${change}`;
  return `← ${candidate} better          ${change}          ${baseline} better →`;
}

/** Factors at which an axis of ratios may have a tick. */
const niceFactors = [1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000];

/** Places of factors between two places, from no change outwards, none nearer to the last than `minGap`. */
function factorTicks(low: number, high: number, minGap: number): number[] {
  const outwards = (sign: number, most: number): number[] => {
    const places: number[] = [];
    for (const place of niceFactors.map(Math.log))
      if (place <= most && place - (places.at(-1) ?? 0) >= minGap) places.push(place);
    return places.map((place) => sign * place);
  };
  return [...outwards(-1, -low).toReversed(), 0, ...outwards(1, high)];
}

/** Round values between two places. */
function roundTicks(low: number, high: number, wanted: number): number[] {
  const firstOf = (step: number): number => Math.ceil(low / step);
  const lastOf = (step: number): number => Math.floor(high / step);
  // One value alone on an axis gives no scale: a step that leaves zero alone is halved.
  const step = lastOf(wanted) - firstOf(wanted) < 2 ? wanted / 2 : wanted;
  return Array.from({ length: lastOf(step) - firstOf(step) + 1 }, (_, i) => (firstOf(step) + i) * step);
}

/** The axis of change as far as these places and the margin reach, not to the next round number. */
export function changeAxis(
  comparison: PageComparison,
  places: readonly number[],
  extra: object = {},
  shown: readonly PageComparison[] = [comparison],
): object {
  const isRatio = formOf(comparison) === 'ratio';
  const all = [...places.filter(isNumber), ...placesOfMargin(comparison).map((end) => end * 1.2)];
  const low = all.reduce((least, value) => Math.min(least, value), Infinity);
  const high = all.reduce((most, value) => Math.max(most, value), -Infinity);
  const air = (high - low) * 0.04;
  const gap = (high - low) / (innerWidth < 700 ? 3 : 6);
  // Made here, because the chart’s own ticks begin at the end of the axis where that is nearly a step away.
  const ticks = isRatio
    ? factorTicks(low - air, high + air, gap * 0.7)
    : roundTicks(low - air, high + air, roundStep(gap));
  // Better is on the left, whether more or less of the metric is better.
  return axis(changeTitle(comparison, shown), {
    min: low - air,
    max: high + air,
    reverse: comparison.higherIsBetter,
    ticks: numberTicks({
      maxTicksLimit: ticks.length,
      callback: (value: number | string) =>
        isRatio && Number(value) !== 0
          ? formatRatioPercent(Math.exp(Number(value)))
          : formatNumber(Number(value)),
    }),
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
      scale.ticks = ticks.map((value) => ({ value }));
    },
    ...extra,
  });
}
