import { markup, type Markup } from '../../markup.ts';

/** Whose value a mark shows: each has a colour. */
export type Whose = 'published' | 'ours';

const classOf: Readonly<Record<Whose, string>> = { published: 'sf-p', ours: 'sf-o' };

type Shape = (x: number, y: number) => string;

const radiusPx = 4.5;

/** One shape a series; the first is hollow. */
const shapes: readonly Shape[] = [
  (x, y) => circle(x, y),
  (x, y) => circle(x, y),
  (x, y) =>
    polygon([
      [x, y - 5.5],
      [x + 5, y + 4],
      [x - 5, y + 4],
    ]),
  (x, y) =>
    polygon([
      [x - 4, y - 4],
      [x + 4, y - 4],
      [x + 4, y + 4],
      [x - 4, y + 4],
    ]),
  (x, y) =>
    polygon([
      [x, y - 5.5],
      [x + 5.5, y],
      [x, y + 5.5],
      [x - 5.5, y],
    ]),
  (x, y) =>
    polygon([
      [x - 5, y - 4],
      [x + 5, y - 4],
      [x, y + 5.5],
    ]),
];

function circle(x: number, y: number): string {
  const left = (x - radiusPx).toFixed(1);
  return `M${left} ${y.toFixed(1)}a${radiusPx} ${radiusPx} 0 1 0 ${2 * radiusPx} 0a${radiusPx} ${radiusPx} 0 1 0 ${-2 * radiusPx} 0`;
}

function polygon(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}

/** The mark of a series at a place, px. */
export function mark(series: number, whose: Whose, x: number, y: number): Markup {
  const shape = shapes[series % shapes.length] ?? circle;
  return markup`<path class="${classOf[whose]}${series === 0 ? ' sf-hollow' : ''}" d="${shape(x, y)}"/>`;
}

/** Our interval: a line between two heights, px, with its ends marked. */
export function whisker(x: number, [from, to]: readonly [number, number]): Markup {
  const [left, right] = [x - 3, x + 3].map((end) => end.toFixed(1));
  return markup`<path class="${classOf.ours} sf-line" d="M${x.toFixed(1)} ${from.toFixed(1)}V${to.toFixed(1)}M${left} ${from.toFixed(1)}H${right}M${left} ${to.toFixed(1)}H${right}"/>`;
}

/** A published range, or a mean with its standard deviation: a box, because it is no interval as ours are. */
export function publishedRange(x: number, [from, to]: readonly [number, number]): Markup {
  const top = Math.min(from, to);
  const bottom = Math.max(from, to);
  return markup`<rect class="${classOf.published} sf-range" x="${(x - 4).toFixed(1)}" y="${top.toFixed(1)}" width="8" height="${(bottom - top).toFixed(1)}"/>`;
}

/** How the line of a series is dashed. */
export const dashClass = (series: number): string => `sf-dash-${series % 4}`;

/** The mark of a series as a key next to its name. */
export function key(series: number): Markup {
  return markup`<svg class="sf-key" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">${mark(series, 'ours', 7, 7)}</svg>`;
}

/** The same for a line with that mark. */
export function lineKey(series: number): Markup {
  return markup`<svg class="sf-key" viewBox="0 0 34 14" width="34" height="14" aria-hidden="true"><path class="sf-o sf-line ${dashClass(series)}" d="M0 7H34"/>${mark(series, 'ours', 17, 7)}</svg>`;
}
