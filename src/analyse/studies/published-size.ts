import { metricDefinition } from '../../core/metrics/registry.ts';
import { textAt, type PublishedComparison, type PublishedFigure } from '../../core/model/published.ts';
import { percentDigits, valueDigits } from '../../core/model/rounding.ts';
import { changeWords, differenceUnit, hasNoRatio, intervalWords, noRatio } from './published-words.ts';

type Range = readonly [low: number, high: number];

/** A published size and ours on one scale: percent of change, or the metric's unit. */
interface Sizes {
  readonly published: Range;
  readonly ours: (comparison: PublishedComparison) => Range | null;
  /** Our estimate alone; empty where there is none. */
  readonly estimate: (comparison: PublishedComparison) => readonly number[];
  readonly unit: string;
  /** A range of it with its unit. */
  readonly words: (range: Range) => string;
}

const rangeOf = (value: number | readonly [number, number]): Range =>
  typeof value === 'number' ? [value, value] : [Math.min(...value), Math.max(...value)];

function sizesOf({ size, metric, atMost }: PublishedFigure): Sizes | undefined {
  if (size === undefined) return undefined;
  if ('percent' in size)
    return {
      published: rangeOf(size.percent),
      ours: ({ form, interval }) =>
        form === 'ratio' && interval !== null ? [interval[0] * 100, interval[1] * 100] : null,
      estimate: ({ form, effect }) => (form === 'ratio' && effect !== null ? [effect * 100] : []),
      unit: '%',
      words: ([low, high]) => rangeOfChange([low / 100, high / 100], 'ratio', ''),
    };
  if ('difference' in size) {
    const unit = differenceUnit({ metric, atMost });
    return {
      published: rangeOf(size.difference),
      ours: ({ form, interval }) => (form === 'difference' ? interval : null),
      estimate: ({ form, effect }) => (form === 'difference' && effect !== null ? [effect] : []),
      unit,
      words: (range) => rangeOfChange(range, 'difference', unit),
    };
  }
  const unit = metricDefinition(metric)?.unit ?? '';
  return {
    published: rangeOf(size.candidate),
    ours: ({ levelInterval }) => levelInterval,
    estimate: ({ level }) => (level === null ? [] : [level]),
    unit,
    words: (range) =>
      [[...new Set(range.map((value) => valueDigits(value)))].join(' to '), unit].filter(Boolean).join(' '),
  };
}

function rangeOfChange(range: Range, form: PublishedComparison['form'], unit: string): string {
  return range[0] === range[1] ? changeWords(range[0], form, unit) : intervalWords(range, form, unit);
}

/** By how much a published range lies beyond ours; 0 where they have more than an end in common. Below ours it is negative. */
function gap([low, high]: Range, ours: Range): number {
  if (high < ours[0]) return high - ours[0];
  return low > ours[1] ? low - ours[1] : 0;
}

type Position = 'inside' | 'overlaps' | 'touches' | 'outside';

const isWithin = ([low, high]: Range, [least, most]: Range): boolean => low >= least && high <= most;

function positionOf(published: Range, ours: Range): Position {
  if (gap(published, ours) !== 0) return 'outside';
  if (isWithin(published, ours)) return 'inside';
  return published[1] === ours[0] || published[0] === ours[1] ? 'touches' : 'overlaps';
}

/** Whether the published size lies in our intervals, or by how much not. */
function againstWords({ published, unit }: Sizes, ranges: readonly Range[]): string {
  const positions = ranges.map((range) => positionOf(published, range));
  const met = positions.filter((position) => position !== 'outside').length;
  if (met === ranges.length) return metWords(published, ranges);
  const gaps = ranges.map((range) => gap(published, range));
  const farthest = gaps.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0);
  const digits = unit === '%' ? percentDigits : valueDigits;
  const by = `${digits(Math.abs(farthest))} ${unit === '%' ? 'points' : unit}`.trim();
  return ranges.length === 1
    ? `published size ${by} ${farthest < 0 ? 'below' : 'above'} our interval`
    : `published ${isOne(published) ? 'size inside' : 'range meets'} ${met} of ${ranges.length} intervals, else up to ${by} away`;
}

const isOne = ([low, high]: Range): boolean => low === high;

/** Where every interval has something in common with what was published. */
function metWords(published: Range, ranges: readonly Range[]): string {
  const [range] = ranges;
  const many = ranges.length > 1;
  const ours = many ? `all ${ranges.length} intervals` : 'our interval';
  if (ranges.every((each) => isWithin(published, each)))
    return `published ${isOne(published) ? 'size' : 'range'} inside ${ours}`;
  if (ranges.every((each) => isWithin(each, published))) return `${ours} inside the published range`;
  const touches = !many && range !== undefined && positionOf(published, range) === 'touches';
  return `published range ${touches ? 'only touches' : 'overlaps'} ${ours}`;
}

/** Both next to each other: whether there is no difference the margin decides, and not what was published of its size. */
function bothInWords({ published, words }: Sizes, ranges: readonly Range[]): string {
  const all: Range = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
  const over = ranges.length === 1 ? '' : ` over ${ranges.length} comparisons`;
  return `published ${words(published)}, ours ${words(all)}${over}, judged by the margin`;
}

/** Whether the published size lies in our interval, or by how much not, or why it cannot be compared. */
export function sizeWords(
  figure: PublishedFigure,
  ours: readonly PublishedComparison[],
  scale: string | null,
): string {
  const instead = textAt(figure.instead, scale);
  if (instead !== undefined) return `not comparable: ${instead}`;
  const sizes = sizesOf(figure);
  if (sizes === undefined) return 'no size published';
  const unlike = textAt(figure.unlike, scale);
  if (unlike !== undefined) return `not comparable: ${unlike}`;
  const ranges = ours.map(sizes.ours).filter((range) => range !== null);
  const isOfRatio = figure.size !== undefined && 'percent' in figure.size;
  const isZeroed = isOfRatio && ours.some(({ form }) => hasNoRatio(figure, form));
  if (ranges.length === 0) {
    if (isZeroed) return `not comparable: ${noRatio}`;
    return ours.length === 0 ? 'not measured' : 'no interval';
  }
  const both = figure.expects === 'equivalent' ? bothInWords(sizes, ranges) : againstWords(sizes, ranges);
  return isZeroed ? `${both}, others not comparable: ${noRatio}` : both;
}

/**
 * Whether the published size lies in our interval, or our estimate in the published range, at most comparisons. Null where sizes cannot
 * be compared: none was published, the set-ups are unlike, or no difference was published, of which the margin is all that is claimed.
 */
export function sizeAgrees(
  figure: PublishedFigure,
  ours: readonly PublishedComparison[],
  scale: string | null,
): boolean | null {
  const { size, expects, instead, unlike } = figure;
  const sizes = sizesOf(figure);
  if (size === undefined || sizes === undefined) return null;
  if (textAt(instead, scale) !== undefined || textAt(unlike, scale) !== undefined) return null;
  if (expects === 'equivalent' && !('candidate' in size)) return null;
  const positions = ours.flatMap((comparison) => {
    const range = sizes.ours(comparison);
    if (range === null) return [];
    const [estimate] = sizes.estimate(comparison);
    return isOne(sizes.published)
      ? isWithin(sizes.published, range)
      : estimate !== undefined && isWithin([estimate, estimate], sizes.published);
  });
  return positions.length === 0 ? null : 2 * positions.filter(Boolean).length > ours.length;
}
