import { withoutSteering } from '../../src/core/model/steering-characters.ts';
import { isNumber } from '../format/numbers.ts';

/** One field of a CSV file; null leaves it empty. */
export type CsvField = string | number | boolean | null | undefined;

/**
 * A field quoted where RFC 4180 wants it. Text that a spreadsheet would run as a formula gets an apostrophe in front;
 * numbers are never touched, what steers a terminal is shown, and what is not finite is left empty.
 */
export function csvField(value: CsvField): string {
  if (typeof value === 'number') return isNumber(value) ? String(value) : '';
  if (typeof value === 'boolean') return String(value);
  const text = withoutSteering((value ?? '').replace(/\r\n?/g, '\n')).replace(/^[=+\-@\t\n]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180) with a newline at the end. */
export function csvText(rows: readonly (readonly CsvField[])[]): string {
  return rows.map((row) => row.map(csvField).join(',')).join('\r\n') + '\r\n';
}

/** A column by its name, and where a row has its field. */
export type CsvColumn<Row> = readonly [string, (row: Row) => CsvField];

/** A line of names and a line a row. */
export function csvTable<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return csvText([
    columns.map(([name]) => name),
    ...rows.map((row) => columns.map(([, fieldOf]) => fieldOf(row))),
  ]);
}
