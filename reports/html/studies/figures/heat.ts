import type { StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { formatSignedPercent, missing } from '../../../format/numbers.ts';
import { markup, type Markup } from '../../markup.ts';
import { heightPx, widthPx } from './frame.ts';

const leftPx = 74;
const topPx = 18;
const bottomPx = 40;
/** From here on a cell has its full colour, percent. */
const fullPercent = 60;
/** A stronger colour than this leaves the number in it too little contrast. */
const faintest = 0.15;
const strongest = 0.45;

interface Cell {
  readonly tone: string;
  readonly opacity: number;
  readonly text: string;
}

/** Blue where the candidate is better, orange where it is worse. */
function cellOf({ cells }: StudyFigure, place: string, row: string): Cell {
  const percent = cells.find((cell) => cell.x === place && cell.row === row)?.percent;
  if (percent === undefined) return { tone: 'sf-missing', opacity: 1, text: missing };
  if (percent === null) return { tone: 'sf-none', opacity: 1, text: 'not sure' };
  const strength = Math.min(1, Math.abs(percent) / fullPercent);
  return {
    tone: percent > 0 ? 'sf-better' : 'sf-worse',
    opacity: faintest + (strongest - faintest) * strength,
    text: formatSignedPercent(percent),
  };
}

/** What a cell without a colour means. */
export function heatKeys({ x, rows, cells }: StudyFigure): Markup {
  const unsure = cells.filter(({ percent }) => percent === null).length;
  const unmeasured = x.length * rows.length - cells.length;
  return markup`<p class="sf-keys"><span><i class="sf-box"></i> change not sure: ${unsure}</span><span><i class="sf-box sf-box-missing">${missing}</i> not measured: ${unmeasured}</span></p>`;
}

/** Changes over two axes. */
export function drawHeat(figure: StudyFigure): Markup {
  const { x, rows, yTitle, xTitle } = figure;
  const cellWidth = (widthPx - leftPx - 6) / Math.max(1, x.length);
  const cellHeight = (heightPx - topPx - bottomPx) / Math.max(1, rows.length);
  const drawn = rows.flatMap((row, down) =>
    x.map((place, along) => {
      const { tone, opacity, text } = cellOf(figure, place, row);
      const left = leftPx + along * cellWidth;
      const top = topPx + down * cellHeight;
      return markup`<rect class="sf-cell ${tone}" x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(cellWidth - 2).toFixed(1)}" height="${(cellHeight - 2).toFixed(1)}" fill-opacity="${opacity.toFixed(2)}"/><text class="sf-x" x="${(left + cellWidth / 2).toFixed(1)}" y="${(top + cellHeight / 2 + 3).toFixed(1)}" text-anchor="middle">${text}</text>`;
    }),
  );
  return markup`<text class="sf-title" x="2" y="10">${yTitle}</text>
    ${rows.map((name, index) => markup`<text class="sf-y" x="${leftPx - 6}" y="${(topPx + (index + 0.5) * cellHeight + 3).toFixed(1)}" text-anchor="end">${name}</text>`)}
    ${x.map((name, index) => markup`<text class="sf-x" x="${(leftPx + (index + 0.5) * cellWidth).toFixed(1)}" y="${heightPx - bottomPx + 13}" text-anchor="middle">${name}</text>`)}
    <text class="sf-title" x="${widthPx - 8}" y="${heightPx - 4}" text-anchor="end">${xTitle ?? ''}</text>${drawn}`;
}
