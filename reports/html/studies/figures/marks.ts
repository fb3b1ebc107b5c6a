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

/** A line between two heights, px, with its ends marked. */
export function whisker(whose: Whose, x: number, [from, to]: readonly [number, number]): Markup {
  const [left, right] = [x - 3, x + 3].map((end) => end.toFixed(1));
  return markup`<path class="${classOf[whose]} sf-line" d="M${x.toFixed(1)} ${from.toFixed(1)}V${to.toFixed(1)}M${left} ${from.toFixed(1)}H${right}M${left} ${to.toFixed(1)}H${right}"/>`;
}

/** The mark of a series as a key next to its name. */
export function key(series: number): Markup {
  return markup`<svg class="sf-key" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">${mark(series, 'ours', 7, 7)}</svg>`;
}
