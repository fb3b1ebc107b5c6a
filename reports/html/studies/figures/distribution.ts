import type { StudyFigure } from '../../../../src/model/study-figure.ts';
import { markup, type Insert, type Markup } from '../../markup.ts';
import { horizontalAxis, valuesFrame, verticalAxis, type Axis } from './frame.ts';
import { mark } from './marks.ts';

/** Share of values up to each: a step at every one. */
function steps(values: readonly number[], horizontal: Axis, vertical: Axis): string {
  const [first = 0] = values;
  return values.reduce(
    (path, value, index) =>
      `${path}H${horizontal.at(value).toFixed(1)}V${vertical.at((index + 1) / values.length).toFixed(1)}`,
    `M${horizontal.at(first).toFixed(1)} ${vertical.at(0).toFixed(1)}`,
  );
}

/** Published medians lie at half the share. */
function medians({ series }: StudyFigure, horizontal: Axis, vertical: Axis): Insert {
  return series.map(({ published }, index) =>
    published.map(({ low, high }) =>
      mark(index, 'published', horizontal.at((low + high) / 2), vertical.at(0.5)),
    ),
  );
}

/** All values of each series as the share that is at most each. */
export function drawDistribution(figure: StudyFigure): Markup {
  const { series, kind, yTitle } = figure;
  const all = series.flatMap(({ values, published }) => [
    ...values,
    ...published.flatMap(({ low, high }) => [low, high]),
  ]);
  const horizontal = horizontalAxis(all.length === 0 ? [0, 1] : kind === 'ratios' ? [...all, 1] : all);
  const vertical = verticalAxis([0, 1], 1);
  const lines = series.map(
    ({ values }, index) =>
      values.length > 0 &&
      markup`<path class="sf-o sf-line sf-dash-${index % 4}" d="${steps(values, horizontal, vertical)}"/>${mark(index, 'ours', horizontal.at(middleOf(values)), vertical.at(0.5))}`,
  );
  const even =
    kind === 'ratios' &&
    markup`<line class="sf-even" x1="${horizontal.at(1).toFixed(1)}" x2="${horizontal.at(1).toFixed(1)}" y1="${vertical.at(0).toFixed(1)}" y2="${vertical.at(1).toFixed(1)}"/>`;
  return markup`${valuesFrame(vertical, horizontal, { yTitle: 'share of values', xTitle: yTitle })}${even}${lines}${medians(figure, horizontal, vertical)}`;
}

/** `values` ascend. */
function middleOf(values: readonly number[]): number {
  const half = (values.length - 1) / 2;
  return ((values[Math.floor(half)] ?? 0) + (values[Math.ceil(half)] ?? 0)) / 2;
}
