import type { DumbbellRow } from './dumbbell-rows.ts';
import { formatSignedPercent } from './numbers.ts';

/** What every picture of changes says of its axis. */
export const betterIsLeft = 'Left is better';

type Oriented = Pick<DumbbellRow, 'higherIsBetter'>;

/**
 * Where a change lies on the axis of a picture: left of 0 the candidate is better, and a half is as far as the double (the
 * logarithm of the factor). Minus or plus infinity for a change that leaves nothing.
 */
export function placeOfChange(percent: number, { higherIsBetter }: Oriented): number {
  const place = percent <= -100 ? -Infinity : Math.log1p(percent / 100);
  return higherIsBetter ? -place : place;
}

const minReach = 1.05;
/** An interval alone stretches the axis no further; the changes that lead do. */
const maxIntervalReach = 3;
const maxReach = 10;
/** A row that reaches so many times as far as those that lead is cut. */
const minOutlier = 3;
/** Each with the tick half way to it. */
const niceReaches: readonly (readonly [reach: number, half: number])[] = [
  [minReach, 1.025],
  [1.1, 1.05],
  [1.2, 1.1],
  [1.3, 1.15],
  [1.5, 1.2],
  [2, 1.4],
  [maxIntervalReach, 1.75],
  [6, 2.4],
  [maxReach, 3.2],
];

function extentOf(row: DumbbellRow): number {
  const ends = [row.estimate ?? 0, ...(row.interval ?? [])];
  return Math.max(...ends.map((percent) => Math.abs(placeOfChange(percent, row))));
}

export interface ChangeAxis {
  /** Both ends lie so far from no change, on the scale of `placeOfChange`. */
  readonly reach: number;
  /** From left to right. */
  readonly ticks: readonly { readonly place: number; readonly text: string }[];
}

/** The axis of these rows: those far beyond the others are cut so that these can be seen. */
export function changeAxisOf(rows: readonly DumbbellRow[]): ChangeAxis {
  const leading = rows.filter(({ leads }) => leads).map(extentOf);
  const extents = rows.map(extentOf);
  const most = Math.max(Math.log(minReach), ...(leading.length > 0 ? leading : extents)) * minOutlier;
  const led = rows
    .filter(
      (row) => row.leads && Math.abs(placeOfChange(row.estimate ?? 0, row)) > Math.log(maxIntervalReach),
    )
    .map(extentOf)
    .filter(Number.isFinite);
  const fitting = Math.min(
    Math.max(...extents.filter((extent) => extent <= most), 0),
    Math.max(Math.log(maxIntervalReach), ...led),
  );
  const [factor, half] = niceReaches.find(([reach]) => Math.log(reach) >= fitting - 1e-9) ?? [maxReach, 3.2];
  const places = [factor, half].map(Math.log);
  return {
    reach: Math.log(factor),
    ticks: [...places.map((place) => -place), 0, ...places.toReversed()].map((place) => ({
      place,
      text: tickText(place, rows),
    })),
  };
}

/** A change in percent; in times where rows of both kinds share the axis, on which more is better of some and less of others. */
function tickText(place: number, rows: readonly DumbbellRow[]): string {
  if (place === 0) return '0';
  const [first] = rows;
  const isOneWay = rows.every(({ higherIsBetter }) => higherIsBetter === first?.higherIsBetter);
  if (!isOneWay) return `${Number(Math.exp(Math.abs(place)).toFixed(3))}×`;
  return formatSignedPercent(Math.expm1(first?.higherIsBetter === true ? -place : place) * 100);
}
