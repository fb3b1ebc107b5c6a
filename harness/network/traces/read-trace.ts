import { readFile, stat } from 'node:fs/promises';
import { H2h3Error, messageOf } from '../../../src/core/model/errors.ts';
import type { Trace } from './trace.ts';

export type TraceFormat = 'seconds-mbps' | 'mahimahi';

/** As long as a generated trace may be (24 h); a time beyond it is a fault, and would make endless work of it. */
const maxSeconds = 86_400;
const highestMbps = 1_000_000;
const maxLines = 10_000_000;
const largestFileBytes = 256 * 1024 * 1024;

/** Of a file that is no trace at all a line may be anything. */
const maxShown = 60;

/** A line as it may be shown. */
export function shownOf(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, '?');
  return printable.length > maxShown ? `${printable.slice(0, maxShown)}…` : printable;
}

function malformed(file: string, line: number, expected: string, text: string): H2h3Error {
  const got = shownOf(text);
  return new H2h3Error(
    'bad-input',
    `${file}:${line}: not a line of a trace: expected ${expected}, got "${got}"`,
    {
      context: { file, line, expected, got },
    },
  );
}

function empty(file: string, expected: string): H2h3Error {
  return new H2h3Error('bad-input', `${file}: the trace is empty: expected ${expected}`, {
    context: { file, line: 1, expected, got: 'an empty file' },
  });
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * Lines that hold anything but a comment.
 *
 * @throws H2h3Error `bad-input` for a file of more lines than any may have: the rest would be left out without a word
 */
export function contentLines(text: string, file: string): Line[] {
  const lines = text.trimEnd().split('\n', maxLines + 1);
  const excess = lines[maxLines];
  if (excess !== undefined)
    throw malformed(file, maxLines + 1, `no more than ${maxLines} lines in a file`, excess);
  return lines
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

/**
 * Lines of `seconds Mbit/s` (the Lumos5G family, Pensieve): each rate holds until the next line's time, the last one
 * as long as the one before it. Times count from the first line.
 *
 * @throws H2h3Error `bad-input` naming file, line, what was expected and what was got.
 */
export function parseSecondsMbps(text: string, file: string): Trace {
  const expected = 'seconds and Mbit/s, such as "12.0 35.5"';
  const rows = contentLines(text, file).map((line) => {
    const words = line.text.split(/[\s,]+/);
    const [seconds = Number.NaN, mbps = Number.NaN] = words.map((word) =>
      word === '' ? Number.NaN : Number(word),
    );
    if (words.length !== 2 || !Number.isFinite(seconds) || !Number.isFinite(mbps))
      throw malformed(file, line.number, expected, line.text);
    if (mbps < 0) throw malformed(file, line.number, 'a rate of at least 0', line.text);
    if (mbps > highestMbps)
      throw malformed(file, line.number, `a rate of at most ${highestMbps} Mbit/s`, line.text);
    return { ...line, seconds, mbps };
  });
  const [first] = rows;
  if (first === undefined) throw empty(file, expected);
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    if (before && row.seconds <= before.seconds)
      throw malformed(file, row.number, `a time after ${before.seconds} s`, row.text);
    if (row.seconds - first.seconds > maxSeconds)
      throw malformed(file, row.number, `a time at most ${maxSeconds} s after the first`, row.text);
  });
  const steps = rows.map(({ seconds, mbps }) => ({ startMs: (seconds - first.seconds) * 1000, mbps }));
  const last = steps.at(-1)?.startMs ?? 0;
  const lastDurationMs = steps.length > 1 ? last - (steps.at(-2)?.startMs ?? 0) : 1000;
  return { kind: 'steps', steps, lengthMs: last + lastDurationMs };
}

/**
 * A mahimahi trace: each line is the time in ms of an opportunity to deliver 1500 bytes; the last line's time is the
 * trace's length (mm-link(1)).
 *
 * @throws H2h3Error `bad-input` naming file, line, what was expected and what was got.
 */
export function parseMahimahi(text: string, file: string): Trace {
  const expected = 'a whole number of milliseconds';
  const lines = contentLines(text, file);
  let beforeMs = 0;
  const timesMs = lines.map((line) => {
    if (!/^\d+$/.test(line.text)) throw malformed(file, line.number, expected, line.text);
    const timeMs = Number(line.text);
    if (timeMs < beforeMs) throw malformed(file, line.number, `at least ${beforeMs} ms`, line.text);
    if (timeMs > maxSeconds * 1000)
      throw malformed(file, line.number, `at most ${maxSeconds * 1000} ms`, line.text);
    beforeMs = timeMs;
    return timeMs;
  });
  if (timesMs.length === 0) throw empty(file, expected);
  if (beforeMs === 0) throw malformed(file, lines.at(-1)?.number ?? 1, 'a last time above 0 ms', '0');
  return { kind: 'opportunities', timesMs, lengthMs: beforeMs };
}

/**
 * @param what it should hold, such as `schedule`
 * @throws H2h3Error `bad-input` when it cannot be read
 */
export async function readTextFile(
  file: string,
  what: string,
  limitBytes = largestFileBytes,
): Promise<string> {
  try {
    const stats = await stat(file);
    // A named pipe without a writer would be waited for without end.
    if (!stats.isFile()) throw new Error('it is no regular file');
    const { size } = stats;
    if (size > limitBytes) throw new Error(`it has ${size} bytes, more than ${limitBytes}`);
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new H2h3Error('bad-input', `the ${what} cannot be read: ${messageOf(cause)}`, {
      context: { file, expected: `a readable ${what}`, got: messageOf(cause) },
      next: `Name a file that holds the ${what}, by its path from here or from /.`,
      cause,
    });
  }
}

/** @throws H2h3Error `bad-input` when it cannot be read or is malformed. */
export async function readTrace(file: string, format: TraceFormat): Promise<Trace> {
  const text = await readTextFile(file, 'trace');
  return format === 'mahimahi' ? parseMahimahi(text, file) : parseSecondsMbps(text, file);
}
