import { changeAxisOf, placeOfChange, type ChangeAxis } from '../format/change-axis.ts';
import type { Dumbbell, DumbbellRow } from '../format/dumbbell-rows.ts';
import { formatSignedPercent } from '../format/numbers.ts';
import { attribute } from '../junit/xml-text.ts';

/** Where a share of the width lies: in percent where the drawing fills its place, in pixels on a card. */
export type AxisPosition = (share: number) => string;

export const percentPlace: AxisPosition = (share) => `${(share * 100).toFixed(2)}%`;

const rowPx = 40;
const axisPx = 26;
/** The axis begins and ends so far from the edges. */
const inset = 0.02;
const maxName = 36;
/** Longer names are set smaller where the picture is narrow, so that they do not run into the effect. */
const longName = 26;

/** How high the drawing of so many rows is, pixels. */
export function dumbbellHeightPx(rows: number): number {
  return rows * rowPx + axisPx;
}

interface Scale {
  /** Of a place on the axis (`placeOfChange`). */
  readonly x: (place: number) => string;
  readonly width: (from: number, to: number) => string;
  readonly axis: ChangeAxis;
  readonly place: AxisPosition;
}

function scaleOf(rows: readonly DumbbellRow[], place: AxisPosition): Scale {
  const axis = changeAxisOf(rows);
  const { reach } = axis;
  const share = (at: number): number =>
    inset + (1 - 2 * inset) * ((Math.max(-reach, Math.min(reach, at)) + reach) / (2 * reach));
  return {
    axis,
    place,
    x: (at) => place(share(at)),
    // Widths have no origin, so that pixels of a card need theirs taken off.
    width: (from, to) =>
      place(0).endsWith('%')
        ? place(share(to) - share(from))
        : String(Number(place(share(to))) - Number(place(share(from)))),
  };
}

function line(
  scale: Scale,
  ends: readonly [number, number],
  y: readonly [number, number],
  name: string,
): string {
  return `<line class="${name}" x1="${scale.x(ends[0])}" x2="${scale.x(ends[1])}" y1="${y[0]}" y2="${y[1]}"/>`;
}

function rect(
  scale: Scale,
  [from, to]: readonly [number, number],
  [topPx, heightPx]: readonly [number, number],
  name: string,
): string {
  return `<rect class="${name}" x="${scale.x(from)}" width="${scale.width(from, to)}" y="${topPx}" height="${heightPx}"/>`;
}

/** Room for the arrow, pixels. */
const arrowPx = 11;

/**
 * A number that lies beyond the axis, at its end, and which way. Few fonts have the arrow: it is a text of its own, so that the
 * number keeps the font of the picture.
 */
function beyond(
  percent: number,
  name: string,
  { isRight, x, y, dx }: { isRight: boolean; x: string; y: number; dx: number },
): string {
  const inward = isRight ? -1 : 1;
  const text = (content: string, offset: number): string =>
    `<text class="${name}" x="${x}" dx="${inward * offset}" y="${y}" text-anchor="${isRight ? 'end' : 'start'}">${content}</text>`;
  return text(formatSignedPercent(percent), dx + arrowPx) + text(isRight ? '▸' : '◂', dx);
}

/** Half of the axis on a phone of 320 px, what a character of a number takes there at the most, and a point with room around it. */
const narrowest = { halfPx: 128, characterPx: 7.5, pointPx: 9 } as const;

/** Whether a number at the end of the axis would lie on a point at this share of the way there. */
function liesOn(number: string, share: number): boolean {
  const { halfPx, characterPx, pointPx } = narrowest;
  return share * halfPx + pointPx > halfPx - arrowPx - number.length * characterPx;
}

/** A change and where it lies. */
interface Placed {
  readonly percent: number;
  readonly place: number;
}

/** The number of an end of an interval that lies beyond the axis: at the end of the line, or under it where the point is. */
function past(end: Placed, estimate: number, scale: Scale, y: number): string {
  const isRight = end.place > 0;
  const share = (isRight ? estimate : -estimate) / scale.axis.reach;
  return beyond(end.percent, 'db-past', {
    isRight,
    x: scale.x(end.place),
    y: liesOn(formatSignedPercent(end.percent), share) ? y + 15.5 : y + 4.5,
    dx: 0,
  });
}

/** What lies beyond the axis: a bar to its end with the number in it. */
function clipped({ percent, place }: Placed, scale: Scale, y: number): string {
  const { reach } = scale.axis;
  const isRight = place > 0;
  return [
    rect(scale, isRight ? [0, reach] : [-reach, 0], [y - 8, 16], 'db-bar'),
    beyond(percent, 'db-cut', { isRight, x: scale.x(isRight ? reach : -reach), y: y + 4.5, dx: 6 }),
  ].join('');
}

function marks(row: DumbbellRow, scale: Scale, y: number): string {
  const { reach } = scale.axis;
  const placed = (percent: number): Placed => ({ percent, place: placeOfChange(percent, row) });
  // On an axis that is turned the upper end comes first.
  const ordered = (ends: readonly [number, number] | null): Placed[] =>
    (ends ?? []).map(placed).sort((a, b) => a.place - b.place);
  const [low, high] = ordered(row.margin);
  const band =
    low === undefined || high === undefined
      ? ''
      : rect(scale, [low.place, high.place], [y - 9, 18], 'db-band');
  const zero = line(scale, [0, 0], [y - 11, y + 11], 'db-zero');
  const baseline = `<circle class="db-from" cx="${scale.x(0)}" cy="${y}" r="4.5"/>`;
  if (row.estimate === null) return band + zero + baseline;
  const estimate = placed(row.estimate);
  if (Math.abs(estimate.place) > reach) return band + clipped(estimate, scale, y) + zero + baseline;
  const ends = ordered(row.interval);
  const [from, to] = ends;
  const whisker =
    from === undefined || to === undefined
      ? ''
      : line(scale, [from.place, to.place], [y, y], 'db-i') +
        ends
          .filter(({ place }) => Math.abs(place) <= reach)
          .map(({ place }) => line(scale, [place, place], [y - 6, y + 6], 'db-i'))
          .join('');
  return [
    band,
    zero,
    whisker,
    ...ends.filter(({ place }) => Math.abs(place) > reach).map((end) => past(end, estimate.place, scale, y)),
    line(scale, [0, estimate.place], [y, y], 'db-way'),
    baseline,
    `<circle class="db-to" cx="${scale.x(estimate.place)}" cy="${y}" r="6"/>`,
  ].join('');
}

const cutName = (name: string): string =>
  [...name].length > maxName ? `${[...name].slice(0, maxName - 1).join('')}…` : name;

function rowText(row: DumbbellRow, scale: Scale, top: number): string {
  const medians =
    row.medians === '' ? '' : `<tspan class="db-medians" dx="8">${attribute(row.medians)}</tspan>`;
  return `<text x="${scale.place(0)}" y="${top + 13}" class="db-name${[...row.name].length > longName ? ' db-long' : ''}">${attribute(cutName(row.name))}${medians}</text><text x="${scale.place(1)}" y="${top + 13}" text-anchor="end" class="db-effect">${attribute(row.effect)}</text>`;
}

function axis(scale: Scale, top: number): string {
  const { reach, ticks } = scale.axis;
  const anchors = ['start', 'middle', 'middle', 'middle', 'end'];
  return (
    line(scale, [-reach, reach], [top + 4, top + 4], 'db-axis') +
    ticks
      .map(
        ({ place, text }, i) =>
          `${line(scale, [place, place], [top + 1, top + 7], 'db-axis')}<text class="db-tick" x="${scale.x(place)}" y="${top + 21}" text-anchor="${anchors[i] ?? 'middle'}">${text}</text>`,
      )
      .join('')
  );
}

/** The rows and the axis of the picture, without the element around them. */
export function dumbbellMarks({ rows }: Dumbbell, place: AxisPosition): string {
  const scale = scaleOf(rows, place);
  const drawn = rows.map((row, index) => {
    const top = index * rowPx;
    return `<g class="db v-${row.verdict}">${rowText(row, scale, top)}${marks(row, scale, top + 25)}</g>`;
  });
  return drawn.join('') + axis(scale, rows.length * rowPx);
}

/** The picture in a page: as wide as its place, its text in the size of the page; needs no script. */
export function dumbbellSvg(dumbbell: Dumbbell): string {
  const words = dumbbell.rows.map((row) => row.words).join('. ');
  return `<svg class="dumbbell" width="100%" height="${dumbbellHeightPx(dumbbell.rows.length)}" role="img" aria-label="${attribute(`Change with ${dumbbell.candidate} against ${dumbbell.baseline}. ${words}.`)}">${dumbbellMarks(dumbbell, percentPlace)}</svg>`;
}
