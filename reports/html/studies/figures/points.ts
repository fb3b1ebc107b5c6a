import type { StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { markup, type Insert, type Markup } from '../../markup.ts';
import { panelsFrame, placesFrame, slotOf, verticalAxis, type Axis } from './frame.ts';
import { mark, publishedRange, whisker } from './marks.ts';

/** Marks of one place stand so far apart at most, px. */
const maxApartPx = 13;

/** Where each series has its published and its own mark at a place, px from the middle. */
function offsets(series: number, count: number, slotPx: number): readonly [published: number, ours: number] {
  const apart = Math.min(maxApartPx, slotPx / (2 * count + 1));
  const first = (2 * series - count + 0.5) * apart;
  return [first, first + apart];
}

/** Published values of other sizes have the left half of the places, and ours the right one. */
interface Slots {
  readonly count: number;
  /** Where those of ours begin. */
  readonly ours: number;
}

function slotsOf({ x, panels }: StudyFigure): Slots {
  return panels === undefined ? { count: x.length, ours: 0 } : { count: 2 * x.length, ours: x.length };
}

function publishedMarks(figure: StudyFigure, axis: Axis): Insert {
  const { series, x } = figure;
  const { count } = slotsOf(figure);
  return series.map(({ published }, index) =>
    published.map(({ x: name, low, high }) => {
      const place = x.indexOf(name);
      if (place < 0) return '';
      const { middlePx, slotPx } = slotOf(place, count);
      const at = middlePx + offsets(index, series.length, slotPx)[0];
      if (low === high) return mark(index, 'published', at, axis.at(low));
      const middle = (axis.at(low) + axis.at(high)) / 2;
      return markup`${publishedRange(at, [axis.at(low), axis.at(high)])}${mark(index, 'published', at, middle)}`;
    }),
  );
}

function ownMarks(figure: StudyFigure, axis: Axis): Insert {
  const { series, x } = figure;
  const { count, ours } = slotsOf(figure);
  return series.map(({ points }, index) =>
    points.map(({ x: name, value, interval }) => {
      const { middlePx, slotPx } = slotOf(ours + x.indexOf(name), count);
      const at = middlePx + offsets(index, series.length, slotPx)[1];
      return markup`${interval !== null && whisker(at, [axis.at(interval[0]), axis.at(interval[1])])}${mark(index, 'ours', at, axis.at(value))}`;
    }),
  );
}

/** Places of which there is anything, published or measured; all where there is nothing at all. */
function placesWithValues({ series, x }: StudyFigure): string[] {
  const named = new Set(
    series.flatMap(({ published, points }) => [...published, ...points].map((each) => each.x)),
  );
  return named.size === 0 ? x : x.filter((name) => named.has(name));
}

/** Medians with intervals and published values over named places. */
export function drawPoints(all: StudyFigure): Markup {
  const figure = { ...all, x: placesWithValues(all) };
  const { series, x, log, yTitle, xTitle, panels } = figure;
  const values = series.flatMap(({ published, points }) => [
    ...published.flatMap(({ low, high }) => [low, high]),
    ...points.flatMap(({ value, interval }) => [value, ...(interval ?? [])]),
  ]);
  const axis = verticalAxis(values, undefined, log);
  const frame =
    panels === undefined
      ? placesFrame(axis, x, { yTitle, xTitle })
      : panelsFrame(axis, x, { yTitle, xTitle, names: [`study, ${panels.study}`, `here, ${panels.here}`] });
  return markup`${frame}${publishedMarks(figure, axis)}${ownMarks(figure, axis)}`;
}
