import { dumbbellOf } from '../format/dumbbell-rows.ts';
import type { Dumbbell, DumbbellRow } from '../format/dumbbell-rows.ts';
import type { Labels } from '../format/labels.ts';
import type { Summary } from '../../src/model/summary.ts';
import { formatSignedPercent } from '../format/numbers.ts';
import { reachOf } from '../svg/dumbbell.ts';
import { fit, padded } from './terminal-text.ts';
import type { Paint } from './terminal-text.ts';

const mostName = 30;
const mostCells = 41;
/** Fewer cells show nothing that the numbers do not. */
const leastCells = 15;

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
function cellsOf(row: DumbbellRow, cells: number, reach: number): string {
  const { estimate, interval, margin } = row;
  const middle = (cells - 1) / 2;
  const cellOf = (percent: number): number =>
    middle + Math.round((Math.max(-reach, Math.min(reach, percent)) / reach) * middle);
  const shown: Mark[] = [];
  const put = (from: number, to: number, mark: Mark): void => {
    for (let cell = Math.min(from, to); cell <= Math.max(from, to); cell += 1) shown[cell] = mark;
  };
  if (margin !== null) put(cellOf(margin[0]), cellOf(margin[1]), 'band');
  if (interval !== null) {
    const [low, high] = interval;
    put(cellOf(low), cellOf(high), 'line');
    put(cellOf(low), cellOf(low), low >= -reach ? 'low' : 'below');
    put(cellOf(high), cellOf(high), high <= reach ? 'high' : 'beyond');
  }
  if (estimate !== null) put(middle, cellOf(estimate), 'way');
  put(middle, middle, 'from');
  if (estimate !== null) {
    const mark = Math.abs(estimate) <= reach ? 'to' : estimate > 0 ? 'beyond' : 'below';
    put(cellOf(estimate), cellOf(estimate), mark);
  }
  return Array.from({ length: cells }, (_, cell) => {
    const mark = shown[cell];
    return mark === undefined ? ' ' : marks[mark];
  }).join('');
}

/** The effect, and the ends of its interval that lie beyond the axis: `▼ +4.1 %, to +148 %`. */
function effectOf({ effect, estimate, interval }: DumbbellRow, reach: number): string {
  const isCut = estimate === null || Math.abs(estimate) > reach;
  const past = isCut ? [] : (interval ?? []).filter((end) => Math.abs(end) > reach);
  return [effect, ...past.map((end) => `to ${formatSignedPercent(end)}`)].join(', ');
}

/** The ends of the axis and no change, above the rows. */
function axisLine(cells: number, reach: number): string {
  const low = `−${reach} %`;
  const high = `+${reach} %`;
  const middle = (cells - 1) / 2;
  const left = padded(low, middle);
  return `${left}0${' '.repeat(Math.max(0, cells - middle - 1 - high.length))}${high}`;
}

function lines({ rows, baseline, candidate, metric }: Dumbbell, columns: number, paint: Paint): string[] {
  const names = rows.map(({ name }) => fit(name, mostName));
  const nameWidth = Math.max(...names.map((name) => [...name].length));
  const reach = reachOf(rows);
  const effects = rows.map((row) => effectOf(row, reach));
  const effectWidth = Math.max(...effects.map((effect) => [...effect].length));
  const room = Math.min(mostCells, columns - nameWidth - effectWidth - 6);
  const cells = room - (1 - (room % 2));
  if (cells < leastCells) return [];
  const title = metric === '' ? '' : `${metric}. `;
  return [
    '',
    fit(`  ${' '.repeat(nameWidth)}  ${axisLine(cells, reach)}`, columns),
    ...rows.map((row, index) => {
      const name = padded(names[index] ?? '', nameWidth);
      return `  ${name}  ${cellsOf(row, cells, reach)}  ${paint(effects[index] ?? '', row.verdict)}`;
    }),
    fit(`  ${title}○ ${baseline}  ● ${candidate}  ├─┤ interval  ░ too small to matter`, columns),
  ];
}

/** The picture of the first screen in characters; nothing where there is nothing to draw, or no room for it. */
export function dumbbellLines(summary: Summary, labels: Labels, columns: number, paint: Paint): string[] {
  const dumbbell = dumbbellOf(summary, labels);
  return dumbbell.rows.length === 0 ? [] : lines(dumbbell, columns, paint);
}
