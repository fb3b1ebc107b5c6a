import { wrap } from '../app/texts.ts';

const gap = '  ';
/** Narrower columns cannot be read. */
const narrowest = 10;

/**
 * Rows as aligned columns; the first row is the head. On a terminal the widest columns but the first, which names
 * the row, give way until the table fits, and their cells are broken at words; elsewhere (a file, a pipe) each row
 * stays one line.
 */
export function formatTable(
  rows: readonly (readonly string[])[],
  widthCharacters: number = process.stdout.columns ?? Infinity,
): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const widths = fitted(natural, widthCharacters - gap.length * (columns - 1));
  const [head = '', ...body] = rows.map((row) => formatRow(row, widths));
  return [head, widths.map((width) => '─'.repeat(width)).join(gap), ...body].join('\n');
}

function fitted(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= narrowest) break;
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
