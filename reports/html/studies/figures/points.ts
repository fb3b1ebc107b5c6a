import type { StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { markup, type Insert, type Markup } from '../../markup.ts';
import { placesFrame, slotOf, verticalAxis, type Axis } from './frame.ts';
import { mark, whisker } from './marks.ts';

/** Marks of one place stand so far apart at most, px. */
const maxApartPx = 13;

/** Where each series has its published and its own mark at a place, px from the middle. */
function offsets(series: number, count: number, slotPx: number): readonly [published: number, ours: number] {
  const apart = Math.min(maxApartPx, slotPx / (2 * count + 1));
  const first = (2 * series - count + 0.5) * apart;
  return [first, first + apart];
}

function publishedMarks(figure: StudyFigure, axis: Axis): Insert {
  const { series, x } = figure;
  return series.map(({ published }, index) =>
    published.map(({ x: name, low, high }) => {
      const place = x.indexOf(name);
      if (place < 0) return '';
      const { middlePx, slotPx } = slotOf(place, x.length);
      const at = middlePx + offsets(index, series.length, slotPx)[0];
      if (low === high) return mark(index, 'published', at, axis.at(low));
      const middle = (axis.at(low) + axis.at(high)) / 2;
      return markup`${whisker('published', at, [axis.at(low), axis.at(high)])}${mark(index, 'published', at, middle)}`;
    }),
  );
}

function ownMarks({ series, x }: StudyFigure, axis: Axis): Insert {
  return series.map(({ points }, index) =>
    points.map(({ x: name, value, interval }) => {
      const { middlePx, slotPx } = slotOf(x.indexOf(name), x.length);
      const at = middlePx + offsets(index, series.length, slotPx)[1];
      return markup`${interval !== null && whisker('ours', at, [axis.at(interval[0]), axis.at(interval[1])])}${mark(index, 'ours', at, axis.at(value))}`;
    }),
  );
}

/** Medians with intervals and published values over named places. */
export function drawPoints(figure: StudyFigure): Markup {
  const { series, x, yMost, log, yTitle, xTitle } = figure;
  const values = series.flatMap(({ published, points }) => [
    ...published.flatMap(({ low, high }) => [low, high]),
    ...points.flatMap(({ value, interval }) => [value, ...(interval ?? [])]),
  ]);
  const axis = verticalAxis(values, yMost === undefined ? undefined : Math.max(yMost, ...values), log);
  return markup`${placesFrame(axis, x, { yTitle, xTitle })}${publishedMarks(figure, axis)}${ownMarks(figure, axis)}`;
}
