import { wrap } from '../app/words.ts';

type Rows = readonly (readonly string[])[];

const gap = '  ';
/** Narrower columns cannot be read. */
const narrowest = 18;

/**
 * Rows as a table; the first row is the head. On a terminal columns are aligned: the widest but the first, which names
 * the row, give way until the table fits, and their cells are broken at words; where that cannot be read, each row
 * becomes a list of its cells. In a file or a pipe (`widthCharacters` is null) each row is one line, cells separated by
 * tabs, for `cut`, `awk` and `grep`.
 */
export function formatTable(
  rows: Rows,
  widthCharacters: number | null = widthOf(process.stdout, process.env),
): string {
  if (widthCharacters === null) return rows.map((row) => row.map(inOneLine).join('\t')).join('\n');
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const widths = fitted(natural, widthCharacters - gap.length * (columns - 1));
  if (widths === undefined) return formatLists(rows, widthCharacters);
  const [head = '', ...body] = rows.map((row) => formatRow(row, widths));
  return [head, widths.map((width) => '─'.repeat(width)).join(gap), ...body].join('\n');
}

/** A sentence broken at words where a terminal is narrower, as it is in a file or a pipe. */
export function formatSentence(
  text: string,
  widthCharacters: number | null = widthOf(process.stdout, process.env),
): string {
  return widthCharacters === null ? text : wrap(text, widthCharacters).join('\n');
}

/** Characters of a line where nothing tells: on serial lines, in terminals that programs make, in files. */
export const usualWidth = 80;

/** Characters of a line of the terminal, or what `COLUMNS` says; null for a file or a pipe. */
export function widthOf(
  stream: Pick<NodeJS.WriteStream, 'columns' | 'isTTY'>,
  environment: Readonly<Record<string, string | undefined>>,
): number | null {
  const told = stream.columns;
  const stated = Number(environment['COLUMNS']);
  if (stream.isTTY && told > 0) return told;
  if (Number.isInteger(stated) && stated > 0) return stated;
  return stream.isTTY ? usualWidth : null;
}

function inOneLine(cell: string): string {
  return cell.replaceAll(/[\t\n]+/g, ' ');
}

/** Widths that fit into the room; undefined where columns would become too narrow. */
function fitted(natural: readonly number[], room: number): readonly number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= narrowest) return undefined;
    widths[widths.indexOf(widest, 1)] = widest - 1;
    excess -= 1;
  }
  return widths;
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => cellLines(row[column] ?? '', width));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells
      .map((lines, column) => (lines[index] ?? '').padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  ).join('\n');
}

/** Most cells fit, and are left as they are. */
function cellLines(text: string, width: number): string[] {
  return text.length <= width ? [text] : wrap(text, width);
}

/**
 * The first columns of the rows, as many as can be read side by side and two at the least: for lists of which a reader
 * wants the names first.
 */
export function leadingColumns(rows: Rows, widthCharacters: number | null): Rows {
  if (widthCharacters === null) return rows;
  const needed = (rows[0] ?? []).map((_, column) => {
    const natural = Math.max(...rows.map((row) => (row[column] ?? '').length));
    return gap.length + (column === 0 ? natural : Math.min(natural, narrowest));
  });
  let count = 0;
  let total = -gap.length;
  while (count < needed.length && (total += needed[count] ?? 0) <= widthCharacters) count += 1;
  return rows.map((row) => row.slice(0, Math.max(2, count)));
}

/** Each row as its name, and below it every other cell that is not empty, named by the head. */
export function formatLists([head = [], ...body]: Rows, widthCharacters: number): string {
  return body
    .flatMap(([name = '', ...cells]) => [
      ...wrap(name, widthCharacters),
      ...cells.flatMap((cell, index) =>
        cell === '' ? [] : wrap(`${head[index + 1] ?? ''}: ${cell}`, widthCharacters, gap),
      ),
    ])
    .join('\n');
}
