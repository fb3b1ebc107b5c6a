import type { StudyFigure } from '../../../../src/model/study-figure.ts';
import { formatSignedPercent } from '../../../format/numbers.ts';
import { markup, type Markup } from '../../markup.ts';
import { heightPx, widthPx } from './frame.ts';

const leftPx = 74;
const topPx = 18;
const bottomPx = 40;
/** From here on a cell has its full colour, percent. */
const fullPercent = 60;

/** Changes over two axes: blue where the candidate is better, orange where it is worse, empty where neither is sure. */
export function drawHeat({ x, rows, cells, yTitle, xTitle }: StudyFigure): Markup {
  const cellWidth = (widthPx - leftPx - 6) / Math.max(1, x.length);
  const cellHeight = (heightPx - topPx - bottomPx) / Math.max(1, rows.length);
  const drawn = cells.map(({ x: place, row, percent }) => {
    const left = leftPx + x.indexOf(place) * cellWidth;
    const top = topPx + rows.indexOf(row) * cellHeight;
    const strength = percent === null ? 0 : Math.min(1, 0.15 + Math.abs(percent) / fullPercent);
    const tone = percent === null ? 'sf-none' : percent > 0 ? 'sf-better' : 'sf-worse';
    return markup`<rect class="sf-cell ${tone}" x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(cellWidth - 2).toFixed(1)}" height="${(cellHeight - 2).toFixed(1)}" fill-opacity="${strength.toFixed(2)}"/><text class="sf-x sf-in" x="${(left + cellWidth / 2).toFixed(1)}" y="${(top + cellHeight / 2 + 3).toFixed(1)}" text-anchor="middle">${percent === null ? 'not sure' : formatSignedPercent(percent)}</text>`;
  });
  return markup`<text class="sf-title" x="2" y="10">${yTitle}</text>
    ${rows.map((name, index) => markup`<text class="sf-y" x="${leftPx - 6}" y="${(topPx + (index + 0.5) * cellHeight + 3).toFixed(1)}" text-anchor="end">${name}</text>`)}
    ${x.map((name, index) => markup`<text class="sf-x" x="${(leftPx + (index + 0.5) * cellWidth).toFixed(1)}" y="${heightPx - bottomPx + 13}" text-anchor="middle">${name}</text>`)}
    <text class="sf-title" x="${widthPx - 8}" y="${heightPx - 4}" text-anchor="end">${xTitle ?? ''}</text>${drawn}`;
}
