import { metricDefinition } from '../../metrics/registry.ts';
import { textAt, type PublishedComparison, type PublishedFigure } from '../../model/published.ts';
import { percentDigits, valueDigits } from '../../model/rounding.ts';

type Range = readonly [low: number, high: number];

/** A published size and ours on one scale: percent of change, or the metric's unit. */
interface Sizes {
  readonly published: Range;
  readonly ours: (comparison: PublishedComparison) => Range | null;
  readonly unit: string;
}

const rangeOf = (value: number | readonly [number, number]): Range =>
  typeof value === 'number' ? [value, value] : [Math.min(...value), Math.max(...value)];

function sizesOf({ size, metric, atMost }: PublishedFigure): Sizes | undefined {
  if (size === undefined) return undefined;
  const unit = metricDefinition(metric)?.unit ?? '';
  if ('percent' in size)
    return {
      published: rangeOf(size.percent),
      ours: ({ form, interval }) =>
        form === 'ratio' && interval !== null ? [interval[0] * 100, interval[1] * 100] : null,
      unit: '%',
    };
  if ('difference' in size)
    return {
      published: rangeOf(size.difference),
      ours: ({ form, interval }) => (form === 'difference' ? interval : null),
      unit: atMost === undefined ? unit : 'of all loads',
    };
  return { published: rangeOf(size.candidate), ours: ({ levelInterval }) => levelInterval, unit };
}

/** By how much a published range lies beyond ours; 0 where they meet. Below ours it is negative. */
function gap([low, high]: Range, ours: Range): number {
  if (high < ours[0]) return high - ours[0];
  return low > ours[1] ? low - ours[1] : 0;
}

/** Whether the published size lies in our interval, or by how much not, or why it cannot be compared. */
export function sizeWords(
  figure: PublishedFigure,
  ours: readonly PublishedComparison[],
  scale: string | null,
): string {
  const sizes = sizesOf(figure);
  if (sizes === undefined) return 'no size published';
  const unlike = textAt(figure.unlike, scale);
  if (unlike !== undefined) return `not comparable: ${unlike}`;
  const gaps = ours.flatMap((comparison) => {
    const range = sizes.ours(comparison);
    return range === null ? [] : [gap(sizes.published, range)];
  });
  if (gaps.length === 0) return ours.length === 0 ? 'not measured' : 'no interval';
  const inside = gaps.filter((each) => each === 0).length;
  if (inside === gaps.length)
    return gaps.length === 1
      ? 'published size inside our interval'
      : `published size inside all ${gaps.length} intervals`;
  const farthest = gaps.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0);
  const digits = sizes.unit === '%' ? percentDigits : valueDigits;
  const by = `${digits(Math.abs(farthest))} ${sizes.unit === '%' ? 'points' : sizes.unit}`.trim();
  const away = `published size ${by} ${farthest < 0 ? 'below' : 'above'} our interval`;
  return gaps.length === 1
    ? away
    : `published size inside ${inside} of ${gaps.length} intervals, else up to ${by} away`;
}
