import { formatNumber } from '../../../format/numbers.ts';
import { markup, type Insert, type Markup } from '../../markup.ts';

/** A drawing of this size, px; it is shown as wide as its place. */
export const widthPx = 360;
export const heightPx = 216;

const leftPx = 46;
const rightPx = 8;
const topPx = 18;
const bottomPx = 40;

/** Where values and shares of an axis lie, px. */
export interface Axis {
  readonly ticks: readonly number[];
  readonly at: (value: number) => number;
}

const between = (share: number, [from, to]: readonly [number, number]): number => from + share * (to - from);

/** 1, 2 or 5 times a power of ten, so that an axis has three to six of them. */
function stepOf(span: number): number {
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return (([1, 2, 5, 10] as const).find((factor) => factor * power >= rough) ?? 10) * power;
}

function linear(most: number, span: readonly [number, number], least = 0): Axis {
  const step = stepOf(Math.max(most - least, Number.EPSILON));
  const first = Math.floor(least / step + 1e-9) * step;
  const end = Math.max(Math.ceil(most / step - 1e-9) * step, first + step);
  const count = Math.round((end - first) / step);
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) => Number((first + index * step).toPrecision(12))),
    at: (value) => between((Math.min(value, end) - first) / (end - first), span),
  };
}

function logarithmic(values: readonly number[], span: readonly [number, number]): Axis {
  const positive = values.filter((value) => value > 0);
  const from = Math.floor(Math.log10(Math.min(...positive, 1e12)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...positive, 1e-12))));
  return {
    ticks: Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index)),
    at: (value) => between((Math.log10(Math.max(value, 10 ** from)) - from) / (to - from), span),
  };
}

const down: readonly [number, number] = [heightPx - bottomPx, topPx];
const across: readonly [number, number] = [leftPx, widthPx - rightPx];

/** The vertical axis of these values, from zero up, or by powers of ten. */
export function verticalAxis(values: readonly number[], most?: number, log = false): Axis {
  return log && values.some((value) => value > 0)
    ? logarithmic(values, down)
    : linear(most ?? Math.max(...values, Number.EPSILON), down);
}

/** A horizontal axis of values. */
export function horizontalAxis(values: readonly number[]): Axis {
  const least = Math.min(...values);
  return linear(Math.max(...values), across, least > 0.3 ? Math.min(least, 1) * 0.9 : Math.min(0, least));
}

/** Middle of a named place, px, and how wide it is. */
export function slotOf(index: number, count: number): { readonly middlePx: number; readonly slotPx: number } {
  const slotPx = (across[1] - across[0]) / Math.max(1, count);
  return { middlePx: across[0] + (index + 0.5) * slotPx, slotPx };
}

/** Longer names of places are set in two lines. */
const longName = 9;

function placeName(name: string, index: number, count: number): Markup {
  const { middlePx } = slotOf(index, count);
  const y = heightPx - bottomPx + 13;
  const cut = name.length > longName ? name.lastIndexOf(' ', Math.ceil(name.length / 2) + 3) : -1;
  const lines = cut > 0 ? [name.slice(0, cut), name.slice(cut + 1)] : [name];
  return markup`<text class="sf-x" x="${middlePx.toFixed(1)}" y="${y}" text-anchor="middle">${lines.map(
    (line, row) => markup`<tspan x="${middlePx.toFixed(1)}" dy="${row === 0 ? 0 : 10}">${line}</tspan>`,
  )}</text>`;
}

export interface FrameWords {
  readonly yTitle: string;
  readonly xTitle?: string | undefined;
}

function titles({ yTitle, xTitle }: FrameWords): Insert {
  return markup`<text class="sf-title" x="2" y="10">${yTitle}</text>${
    xTitle !== undefined &&
    markup`<text class="sf-title" x="${widthPx - rightPx}" y="${heightPx - 4}" text-anchor="end">${xTitle}</text>`
  }`;
}

/** Lines and names of the vertical axis, and named places below. */
export function placesFrame(axis: Axis, places: readonly string[], words: FrameWords): Markup {
  return markup`${verticalGrid(axis)}${places.map((name, index) => placeName(name, index, places.length))}${titles(words)}`;
}

interface PanelWords extends FrameWords {
  /** Left and right. */
  readonly names: readonly [string, string];
}

/** The same places twice, in a panel each. */
export function panelsFrame(
  axis: Axis,
  places: readonly string[],
  { names, yTitle, xTitle }: PanelWords,
): Markup {
  const middlePx = (across[0] + across[1]) / 2;
  const heads = names.map((name, panel) => {
    const at = across[0] + ((2 * panel + 1) * (across[1] - across[0])) / 4;
    return markup`<text class="sf-title" x="${at.toFixed(1)}" y="${heightPx - 4}" text-anchor="middle">${[name, xTitle].filter(Boolean).join(' · ')}</text>`;
  });
  return markup`${placesFrame(axis, [...places, ...places], { yTitle })}<line class="sf-even" x1="${middlePx}" x2="${middlePx}" y1="${topPx}" y2="${heightPx - bottomPx}"/>${heads}`;
}

/** The same with values along the horizontal axis. */
export function valuesFrame(vertical: Axis, horizontal: Axis, words: FrameWords): Markup {
  const y = heightPx - bottomPx;
  return markup`${verticalGrid(vertical)}${horizontal.ticks.map(
    (tick) =>
      markup`<line class="sf-grid" x1="${horizontal.at(tick).toFixed(1)}" x2="${horizontal.at(tick).toFixed(1)}" y1="${topPx}" y2="${y}"/><text class="sf-x" x="${horizontal.at(tick).toFixed(1)}" y="${y + 13}" text-anchor="middle">${formatNumber(tick)}</text>`,
  )}${titles(words)}`;
}

function verticalGrid(axis: Axis): Insert {
  return axis.ticks.map(
    (tick) =>
      markup`<line class="sf-grid" x1="${leftPx}" x2="${widthPx - rightPx}" y1="${axis.at(tick).toFixed(1)}" y2="${axis.at(tick).toFixed(1)}"/><text class="sf-y" x="${leftPx - 5}" y="${(axis.at(tick) + 3.5).toFixed(1)}" text-anchor="end">${formatNumber(tick)}</text>`,
  );
}
