import { betterIsLeft, changeAxisOf, placeOfChange, type ChangeAxis } from '../format/change-axis.ts';
import { dumbbellOf } from '../format/dumbbell-rows.ts';
import type { Dumbbell, DumbbellRow } from '../format/dumbbell-rows.ts';
import type { Labels } from '../format/labels.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { formatSignedPercent } from '../format/numbers.ts';
import { fit, padded } from './terminal-text.ts';
import type { Paint } from './terminal-text.ts';

const maxName = 30;
const maxCells = 41;
/** Fewer cells show nothing that the numbers do not. */
const minCells = 15;

/** What a cell of the axis shows; of several the last in this order. */
const marks = {
  band: '░',
  line: '─',
  way: '━',
  low: '├',
  high: '┤',
  from: '○',
  to: '●',
  beyond: '▸',
  below: '◂',
} as const;
type Mark = keyof typeof marks;

/** A row's cells from one end of the axis to the other. */
function cellsOf(row: DumbbellRow, cells: number, { reach }: ChangeAxis): string {
  const { estimate, interval, margin } = row;
  const middle = (cells - 1) / 2;
  const cellOf = (percent: number): number =>
    middle + Math.round((Math.max(-reach, Math.min(reach, placeOfChange(percent, row))) / reach) * middle);
  const shown: Mark[] = [];
  const put = (from: number, to: number, mark: Mark): void => {
    for (let cell = Math.min(from, to); cell <= Math.max(from, to); cell += 1) shown[cell] = mark;
  };
  if (margin !== null) put(cellOf(margin[0]), cellOf(margin[1]), 'band');
  if (interval !== null) {
    // On an axis that is turned the upper end comes first.
    const [left, right] = row.higherIsBetter ? [interval[1], interval[0]] : interval;
    put(cellOf(left), cellOf(right), 'line');
    put(cellOf(left), cellOf(left), placeOfChange(left, row) >= -reach ? 'low' : 'below');
    put(cellOf(right), cellOf(right), placeOfChange(right, row) <= reach ? 'high' : 'beyond');
  }
  if (estimate !== null) put(middle, cellOf(estimate), 'way');
  put(middle, middle, 'from');
  if (estimate !== null) {
    const place = placeOfChange(estimate, row);
    const mark = Math.abs(place) <= reach ? 'to' : place > 0 ? 'beyond' : 'below';
    put(cellOf(estimate), cellOf(estimate), mark);
  }
  return Array.from({ length: cells }, (_, cell) => {
    const mark = shown[cell];
    return mark === undefined ? ' ' : marks[mark];
  }).join('');
}

/** The effect, and the ends of its interval that lie beyond the axis: `▼ +4.1 %, to +148 %`. */
function effectOf(row: DumbbellRow, { reach }: ChangeAxis): string {
  const { effect, estimate, interval } = row;
  const isBeyond = (percent: number): boolean => Math.abs(placeOfChange(percent, row)) > reach;
  const isCut = estimate === null || isBeyond(estimate);
  const past = isCut ? [] : (interval ?? []).filter(isBeyond);
  return [effect, ...past.map((end) => `to ${formatSignedPercent(end)}`)].join(', ');
}

/** The ends of the axis and no change, above the rows. */
function axisLine(cells: number, { ticks }: ChangeAxis): string {
  const low = ticks[0]?.text ?? '';
  const high = ticks.at(-1)?.text ?? '';
  const middle = (cells - 1) / 2;
  const left = padded(low, middle);
  return `${left}0${' '.repeat(Math.max(0, cells - middle - 1 - high.length))}${high}`;
}

function lines({ rows, baseline, candidate, metric }: Dumbbell, columns: number, paint: Paint): string[] {
  const names = rows.map(({ name }) => fit(name, maxName));
  const nameWidth = Math.max(...names.map((name) => [...name].length));
  const axis = changeAxisOf(rows);
  const effects = rows.map((row) => effectOf(row, axis));
  const effectWidth = Math.max(...effects.map((effect) => [...effect].length));
  const room = Math.min(maxCells, columns - nameWidth - effectWidth - 6);
  const cells = room - (1 - (room % 2));
  if (cells < minCells) return [];
  const title = metric === '' ? '' : `${metric}. `;
  return [
    '',
    fit(`  ${' '.repeat(nameWidth)}  ${axisLine(cells, axis)}`, columns),
    ...rows.map((row, index) => {
      const name = padded(names[index] ?? '', nameWidth);
      return `  ${name}  ${cellsOf(row, cells, axis)}  ${paint(effects[index] ?? '', row.verdict)}`;
    }),
    fit(
      `  ${title}${betterIsLeft}. ○ ${baseline}  ● ${candidate}  ├─┤ interval  ░ too small to matter`,
      columns,
    ),
  ];
}

/** The picture of the first screen in characters; nothing where there is nothing to draw, or no room for it. */
export function dumbbellLines(summary: Summary, labels: Labels, columns: number, paint: Paint): string[] {
  const dumbbell = dumbbellOf(summary, labels);
  return dumbbell.rows.length === 0 ? [] : lines(dumbbell, columns, paint);
}
