import type { StudyFigure } from '../../../../src/core/model/study-figure.ts';
import { formatShare } from '../../../format/numbers.ts';
import { markup, type Markup } from '../../markup.ts';
import { heightPx, widthPx } from './frame.ts';

const leftPx = 118;
const rightPx = 8;
const topPx = 34;
const bottomPx = 10;

/** Shares of loads in classes, a bar for each arm at each place. */
export function drawClasses({ shares, yTitle }: StudyFigure): Markup {
  const bars = [...Map.groupBy(shares, ({ bar }) => bar)];
  const names = [...new Set(shares.map(({ name }) => name))];
  const fullPx = widthPx - leftPx - rightPx;
  const barPx = (heightPx - topPx - bottomPx) / Math.max(1, bars.length);
  const drawn = bars.map(([bar, parts], index) => {
    const top = topPx + index * barPx;
    let before = 0;
    const pieces = parts.map(({ name, share }) => {
      const left = leftPx + before * fullPx;
      before += share;
      if (share === 0) return '';
      const middle = left + (share * fullPx) / 2;
      return markup`<rect class="sf-class-${names.indexOf(name)}" x="${left.toFixed(1)}" y="${(top + 3).toFixed(1)}" width="${(share * fullPx).toFixed(1)}" height="${(barPx - 8).toFixed(1)}"/><text class="sf-x sf-in" x="${middle.toFixed(1)}" y="${(top + barPx / 2 + 3).toFixed(1)}" text-anchor="middle">${share >= 0.12 && formatShare(share)}</text>`;
    });
    return markup`<text class="sf-y" x="${leftPx - 6}" y="${(top + barPx / 2 + 3).toFixed(1)}" text-anchor="end">${bar}</text>${pieces}`;
  });
  const keys = names.map(
    (name, index) =>
      markup`<rect class="sf-class-${index}" x="${8 + index * 116}" y="16" width="9" height="9"/><text class="sf-x" x="${21 + index * 116}" y="24">${name}</text>`,
  );
  return markup`<text class="sf-title" x="2" y="10">${yTitle}</text>${keys}${drawn}`;
}
