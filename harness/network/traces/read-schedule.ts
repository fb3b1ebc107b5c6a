import { H2h3Error } from '../../../src/core/model/errors.ts';
import { misfitOf, type DirectionSpec } from '../../../src/core/model/network-spec.ts';
import {
  isSilent,
  maxSilenceMs,
  minMeanStepMs,
  tooLongSilence,
  type Course,
  type CourseStep,
} from '../../../src/core/model/schedule-course.ts';
import { highestFigures } from '../../../src/core/model/schedule.ts';
import { contentLines, readTextFile, shownOf } from './read-trace.ts';

/** Columns by their names; an empty cell leaves the direction's own figure. */
const columns = ['t_ms', 'rate_mbps', 'delay_ms', 'loss_percent'] as const;
type Column = (typeof columns)[number];

/** The highest figure of each column. */
const highest: Readonly<Record<Column, number>> = {
  t_ms: highestFigures.timeMs,
  rate_mbps: highestFigures.rateMbps,
  delay_ms: highestFigures.delayMs,
  loss_percent: highestFigures.lossPercent,
};
const maxLines = 10_000;
/** Comments and all. */
const largestFileBytes = 16 * 1024 * 1024;
/** Of a file of one line. */
const onlyStepMs = 1000;

interface Row extends CourseStep {
  readonly line: number;
}

function wrong(file: string, line: number, expected: string, got: string): H2h3Error {
  const shown = shownOf(got);
  return new H2h3Error(
    'bad-input',
    `${file}:${line}: not a line of a schedule: expected ${expected}, got "${shown}"`,
    {
      context: { file, line, expected, got: shown },
      next: `Correct this line. The first one of the file is ${columns.join(',')}, and each other has their values from that time on.`,
    },
  );
}

/** Where each column is. */
function headOf(file: string, line: number, text: string): ReadonlyMap<Column, number> {
  const cells = text.split(',').map((cell) => cell.trim());
  const missing = columns.find((column) => !cells.includes(column));
  const unknown = cells.find((cell) => !columns.some((column) => column === cell));
  if (missing !== undefined)
    throw wrong(file, line, `the columns ${columns.join(',')} (${missing} is missing)`, text);
  if (unknown !== undefined || cells.length > columns.length)
    throw wrong(file, line, `the columns ${columns.join(',')} alone`, text);
  return new Map(columns.map((column) => [column, cells.indexOf(column)]));
}

function rowOf(
  file: string,
  { number: line, text }: { readonly number: number; readonly text: string },
  head: ReadonlyMap<Column, number>,
): Row {
  const cells = text.split(',').map((cell) => cell.trim());
  if (cells.length !== head.size) throw wrong(file, line, `${head.size} cells`, text);
  const figure = (column: Column): number | undefined => {
    const cell = cells[head.get(column) ?? -1] ?? '';
    if (cell === '') return undefined;
    const value = Number(cell);
    if (!(value >= 0 && value <= highest[column]))
      throw wrong(file, line, `${column} from 0 to ${highest[column]}`, cell);
    return value;
  };
  const startMs = figure('t_ms');
  if (startMs === undefined) throw wrong(file, line, 't_ms', text);
  return {
    line,
    startMs,
    rateMbps: figure('rate_mbps'),
    delayMs: figure('delay_ms'),
    lossPercent: figure('loss_percent'),
  };
}

/** Each row's length; the last one holds as long as the one before it. */
function lengthsOf(rows: readonly Row[]): number[] {
  const lengths = rows.slice(1).map((row, index) => row.startMs - (rows[index]?.startMs ?? 0));
  return [...lengths, lengths.at(-1) ?? onlyStepMs];
}

function requireSound(file: string, rows: readonly Row[], direction: DirectionSpec): void {
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    if (before !== undefined && row.startMs <= before.startMs)
      throw wrong(file, row.line, `a time after ${before.startMs} ms`, String(row.startMs));
    const [, misfit] = misfitOf({ atMs: row.startMs, ...row }, direction) ?? [];
    if (misfit !== undefined)
      throw wrong(file, row.line, `figures that the direction can have (${misfit})`, `t_ms ${row.startMs}`);
  });
  const lengths = lengthsOf(rows);
  const meanMs = lengths.reduce((sum, lengthMs) => sum + lengthMs, 0) / rows.length;
  if (meanMs < minMeanStepMs)
    throw wrong(
      file,
      rows[0]?.line ?? 1,
      `lines at least ${minMeanStepMs} ms apart on average`,
      `${meanMs} ms`,
    );
  const parts = rows.map((row, index) => ({ silent: isSilent(row), lengthMs: lengths[index] ?? 0 }));
  const { index = 0, silenceMs } = tooLongSilence(parts, true) ?? {};
  if (silenceMs === undefined) return;
  const got = Number.isFinite(silenceMs) ? `${silenceMs} ms` : 'no line in which anything does';
  throw wrong(file, rows[index]?.line ?? 1, `at most ${maxSilenceMs} ms in which nothing passes`, got);
}

/**
 * Lines of `t_ms,rate_mbps,delay_ms,loss_percent` below a line with these names. Each holds until the next one's time. Times
 * count from the first line.
 *
 * @throws H2h3Error `bad-input` naming file, line, what was expected and what was got
 */
export function parseSchedule(
  text: string,
  file: string,
  direction: DirectionSpec,
): Pick<Course, 'repeating' | 'roundMs'> {
  const [head, ...lines] = contentLines(text, file);
  if (head === undefined) throw wrong(file, 1, columns.join(','), '');
  const at = headOf(file, head.number, head.text);
  if (lines.length === 0) throw wrong(file, head.number, 'a line of figures below the names', 'none');
  if (lines.length > maxLines) throw wrong(file, 1, `at most ${maxLines} lines`, String(lines.length));
  const rows = lines.map((line) => rowOf(file, line, at));
  requireSound(file, rows, direction);
  const firstMs = rows[0]?.startMs ?? 0;
  return {
    repeating: rows.map(({ startMs, rateMbps, delayMs, lossPercent }) => ({
      startMs: startMs - firstMs,
      rateMbps,
      delayMs,
      lossPercent,
    })),
    roundMs: lengthsOf(rows).reduce((sum, lengthMs) => sum + lengthMs, 0),
  };
}

/** @throws H2h3Error `bad-input` when it cannot be read or is malformed */
export async function readSchedule(
  file: string,
  direction: DirectionSpec,
): Promise<Pick<Course, 'repeating' | 'roundMs'>> {
  return parseSchedule(await readTextFile(file, 'schedule', largestFileBytes), file, direction);
}
