import type { StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { markup, type Insert, type Markup } from '../../markup.ts';
import { horizontalAxis, valuesFrame, verticalAxis, type Axis } from './frame.ts';
import { dashClass, mark } from './marks.ts';

/** Share of values up to each: a step at every one. */
function steps(values: readonly number[], horizontal: Axis, vertical: Axis): string {
  const [first = 0] = values;
  return values.reduce(
    (path, value, index) =>
      `${path}H${horizontal.at(value).toFixed(1)}V${vertical.at((index + 1) / values.length).toFixed(1)}`,
    `M${horizontal.at(first).toFixed(1)} ${vertical.at(0).toFixed(1)}`,
  );
}

/** How a figure names a published value that is no median: it has no share of values, so it is a line with its name. */
const mean = 'mean';

/** A published median lies at half the share. */
function publishedValues({ series }: StudyFigure, horizontal: Axis, vertical: Axis): Insert {
  const [bottom, top] = [vertical.at(0), vertical.at(1)].map((y) => y.toFixed(1));
  return series.map(({ published }, index) =>
    published.map(({ x: kind, low, high }) => {
      const at = horizontal.at((low + high) / 2);
      return kind === mean
        ? markup`<path class="sf-p sf-line" d="M${at.toFixed(1)} ${bottom}V${top}"/><text class="sf-x" x="${(at + 4).toFixed(1)}" y="${(vertical.at(0) - 5).toFixed(1)}">published mean</text>`
        : mark(index, 'published', at, vertical.at(0.5));
    }),
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
      markup`<path class="sf-o sf-line ${dashClass(index)}" d="${steps(values, horizontal, vertical)}"/>${mark(index, 'ours', horizontal.at(middleOf(values)), vertical.at(0.5))}`,
  );
  const even =
    kind === 'ratios' &&
    markup`<line class="sf-even" x1="${horizontal.at(1).toFixed(1)}" x2="${horizontal.at(1).toFixed(1)}" y1="${vertical.at(0).toFixed(1)}" y2="${vertical.at(1).toFixed(1)}"/>`;
  return markup`${valuesFrame(vertical, horizontal, { yTitle: 'share of values', xTitle: yTitle })}${even}${lines}${publishedValues(figure, horizontal, vertical)}`;
}

/** `values` ascend. */
function middleOf(values: readonly number[]): number {
  const half = (values.length - 1) / 2;
  return ((values[Math.floor(half)] ?? 0) + (values[Math.ceil(half)] ?? 0)) / 2;
}
