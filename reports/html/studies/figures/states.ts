import type { StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { formatNumber } from '../../../format/numbers.ts';
import { markup, type Markup } from '../../markup.ts';
import { heightPx, widthPx } from './frame.ts';

interface Spot {
  readonly x: number;
  readonly y: number;
}

const nodeWidth = 96;
const nodeHeight = 24;

/** States on an ellipse, from the top on clockwise. */
function spotsOf(names: readonly string[]): ReadonlyMap<string, Spot> {
  return new Map(
    names.map((name, index) => {
      const angle = (2 * Math.PI * index) / names.length - Math.PI / 2;
      return [
        name,
        {
          x: widthPx / 2 + (widthPx / 2 - nodeWidth / 2 - 6) * Math.cos(angle),
          y: heightPx / 2 + (heightPx / 2 - nodeHeight) * Math.sin(angle),
        },
      ];
    }),
  );
}

/** An arrow that bends to its right, so that the way back lies next to it. */
function arrow(from: Spot, to: Spot, share: number, count: number): Markup {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const bend = 16;
  const middle = {
    x: (from.x + to.x) / 2 - (dy / length) * bend,
    y: (from.y + to.y) / 2 + (dx / length) * bend,
  };
  const end = { x: to.x - (dx / length) * (nodeWidth / 3), y: to.y - (dy / length) * (nodeHeight / 2 + 5) };
  const widthOf = 1 + 3 * share;
  return markup`<path class="sf-flow" stroke-width="${widthOf.toFixed(1)}" marker-end="url(#sf-tip)" d="M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}"/><text class="sf-x" x="${middle.x.toFixed(1)}" y="${middle.y.toFixed(1)}" text-anchor="middle">${formatNumber(count)}</text>`;
}

/** The states of the server's congestion control, and how often it went from one to another. */
export function drawStates({ transitions }: StudyFigure): Markup {
  const names = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))];
  const spots = spotsOf(names);
  const most = Math.max(1, ...transitions.map(({ count }) => count));
  const arrows = transitions.map(({ from, to, count }) => {
    const start = spots.get(from);
    const end = spots.get(to);
    return start === undefined || end === undefined ? '' : arrow(start, end, count / most, count);
  });
  const nodes = [...spots].map(
    ([name, { x, y }]) =>
      markup`<rect class="sf-node" x="${(x - nodeWidth / 2).toFixed(1)}" y="${(y - nodeHeight / 2).toFixed(1)}" width="${nodeWidth}" height="${nodeHeight}" rx="6"/><text class="sf-x" x="${x.toFixed(1)}" y="${(y + 3.5).toFixed(1)}" text-anchor="middle">${name.replaceAll('_', ' ')}</text>`,
  );
  return markup`<defs><marker id="sf-tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path class="sf-tip" d="M0 0L8 4L0 8Z"/></marker></defs>${arrows}${nodes}`;
}
