import type { Audience } from '../../core/model/audience.ts';
import { parseForeignJson } from '../../core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { chooseConditions } from './choose-conditions.ts';
import { roundTripBins } from './connections.ts';
import { binSegments } from './segment-bins.ts';
import {
  fieldOf,
  ownFieldNames,
  segmentOf,
  type Fields,
  type Segment,
  type SegmentField,
} from './segment.ts';

/** Begins the same choice of conditions for the same file everywhere. */
const seed = 64;

/** A line, and where it stands for an error. */
interface Row {
  readonly fields: Fields;
  readonly place: string;
}

/** What a file is, as far as its rows do not say it. */
interface Rows {
  readonly rows: Iterable<Row>;
  readonly hasShares: boolean;
  readonly notes: readonly string[];
}

/**
 * Reads who the users are: segments with shares, or a line for each page view, as CSV or as a JSON object a line. All that
 * is kept of a line is what it adds to its bin.
 *
 * @param lines of the file, without their ends
 * @param source name of the file, for errors and documents
 * @throws H2h3Error `bad-input` with line and value
 */
export function readAudienceLines(lines: Iterable<string>, source: string): Audience {
  return audienceOf(rowsOfLines(lines, source), source);
}

/**
 * The same of a JSON document: a list of segments, one under `segments`, or an answer of the CrUX API.
 *
 * @throws H2h3Error `bad-input` with place and value
 */
export function readAudienceJson(text: string, source: string): Audience {
  const value = jsonOf(text, source);
  const ofCrux = cruxRecord(value);
  if (ofCrux !== undefined) return audienceOf(rowsOfCrux(ofCrux, source), source);
  const list: unknown = Array.isArray(value) ? value : isObject(value) ? value['segments'] : undefined;
  if (!Array.isArray(list))
    throw new H2h3Error('bad-input', `${source} has no list of segments`, {
      context: {
        expected: 'a list, one under "segments", or an answer of the CrUX API',
        got: text.slice(0, 80),
      },
    });
  const rows = list.map((item: unknown, index) => objectRow(item, `${source}: segment ${index + 1}`));
  return audienceOf(withShares(rows, source), source);
}

function audienceOf({ rows, hasShares, notes }: Rows, source: string): Audience {
  return chooseConditions(binSegments(segmentsOf(rows)), { source, hasShares, notes, seed });
}

function* segmentsOf(rows: Iterable<Row>): Generator<Segment> {
  for (const { fields, place } of rows) yield segmentOf(fields, place);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function jsonOf(text: string, place: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (thrown) {
    throw new H2h3Error('bad-input', `${place} is no JSON: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function objectRow(item: unknown, place: string): Row {
  if (!isObject(item)) throw new H2h3Error('bad-input', `${place} is no object of fields`);
  const fields = new Map<SegmentField, string>();
  for (const [name, value] of Object.entries(item)) {
    const field = fieldOf(name);
    if (field !== undefined && (typeof value === 'string' || typeof value === 'number'))
      fields.set(field, String(value));
  }
  return { fields, place };
}

/** Rows that are all in memory. */
function withShares(rows: readonly Row[], source: string): Rows {
  const hasShares = rows.some(({ fields }) => fields.has('share'));
  requireFields(new Set(rows.flatMap(({ fields }) => [...fields.keys()])), source);
  return { rows, hasShares, notes: [] };
}

function requireFields(fields: ReadonlySet<SegmentField>, source: string): void {
  if (fields.has('connection') || fields.has('effectiveType') || (fields.has('rtt') && fields.has('down')))
    return;
  throw new H2h3Error('bad-input', `${source} has no round trips and rates`, {
    context: { expected: `fields such as ${ownFieldNames}`, got: [...fields].join(', ') || 'none of them' },
    next: 'Exports of page views have rtt and downlink; docs/for-our-users.md lists all names.',
  });
}

const separators = [',', ';', '\t'] as const;

function rowsOfLines(lines: Iterable<string>, source: string): Rows {
  const iterator = lines[Symbol.iterator]();
  let number = 0;
  const next = (): string | undefined => {
    for (;;) {
      const read = iterator.next();
      if (read.done === true) return undefined;
      number++;
      const line: string = read.value;
      if (line.trim() !== '' && !line.startsWith('#')) return line;
    }
  };
  const place = (): string => `${source}:${number}`;
  const head = next()?.replace(/^\uFEFF/, '');
  if (head === undefined) throw new H2h3Error('bad-input', `${source} is empty`);
  if (head.trimStart().startsWith('{')) return rowsOfObjects(head, next, place);
  const separator = separators.reduce((best, one) =>
    head.split(one).length > head.split(best).length ? one : best,
  );
  const names = cellsOf(head, separator);
  const columns = names.map(fieldOf);
  const known = new Set(columns.filter((column) => column !== undefined));
  const bins = names.filter((name) => roundTripBins.some(({ bigQuery }) => bigQuery === name));
  if (bins.length === roundTripBins.length) return rowsOfBigQuery(names, next, separator, place);
  requireFields(known, source);
  function* rows(): Generator<Row> {
    for (let line = next(); line !== undefined; line = next()) {
      const cells = cellsOf(line, separator);
      if (cells.length !== columns.length)
        throw new H2h3Error(
          'bad-input',
          `${place()} has ${cells.length} values, and the head has ${columns.length}`,
          {
            context: { expected: `${columns.length} values`, got: line.slice(0, 200) },
          },
        );
      const fields = new Map<SegmentField, string>();
      columns.forEach((column, index) => {
        if (column !== undefined) fields.set(column, cells[index] ?? '');
      });
      yield { fields, place: place() };
    }
  }
  return { rows: rows(), hasShares: known.has('share'), notes: [] };
}

function rowsOfObjects(head: string, next: () => string | undefined, place: () => string): Rows {
  const first = objectRow(jsonOf(head, place()), place());
  function* rows(): Generator<Row> {
    yield first;
    for (let line = next(); line !== undefined; line = next())
      yield objectRow(jsonOf(line, place()), place());
  }
  return { rows: rows(), hasShares: first.fields.has('share'), notes: [] };
}

/** Values of a line; quoted ones may hold the separator and doubled quotes (RFC 4180, one line each). */
function cellsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(?:${separator}|$)`, 'gy');
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
    if (pattern.lastIndex >= line.length) break;
  }
  return line.endsWith(separator) ? [...cells, ''] : cells;
}

const assumedRates =
  'The Chrome UX Report has no rates: 20, 9 and 1.6 Mbit/s are assumed for its three bins of round trips';

function rowOfBin(index: number, share: number | string, place: string): Row {
  const bin = roundTripBins[index];
  const fields = new Map<SegmentField, string>([
    ['share', String(share)],
    ['name', bin?.words ?? ''],
    ['rtt', String(bin?.rttMs)],
    ['down', String(bin?.downMbps)],
  ]);
  return { fields, place };
}

/** Rows of the BigQuery tables of the Chrome UX Report; every origin of a file counts alike. */
function rowsOfBigQuery(
  columns: readonly string[],
  next: () => string | undefined,
  separator: string,
  place: () => string,
): Rows {
  function* rows(): Generator<Row> {
    for (let line = next(); line !== undefined; line = next()) {
      const cells = cellsOf(line, separator);
      for (const [index, { bigQuery }] of roundTripBins.entries())
        yield rowOfBin(index, cells[columns.indexOf(bigQuery)] ?? '', place());
    }
  }
  return { rows: rows(), hasShares: false, notes: [assumedRates] };
}

/** The round trips of an answer of the CrUX API; undefined of any other document. */
function cruxRecord(value: unknown): unknown {
  const record = isObject(value) ? value['record'] : undefined;
  const metrics = isObject(record) ? record['metrics'] : undefined;
  const roundTrips = isObject(metrics) ? metrics['round_trip_time'] : undefined;
  if (isObject(roundTrips)) return roundTrips['histogram'];
  return record === undefined ? undefined : [];
}

function rowsOfCrux(histogram: unknown, source: string): Rows {
  const densities = (Array.isArray(histogram) ? histogram : []).map((bin: unknown) =>
    isObject(bin) && typeof bin['density'] === 'number' ? bin['density'] : 0,
  );
  if (densities.length !== roundTripBins.length)
    throw new H2h3Error('bad-input', `${source} has no histogram of round trips in three bins`, {
      context: { expected: 'record.metrics.round_trip_time.histogram', got: `${densities.length} bins` },
      next: 'Ask the CrUX API for the metric round_trip_time too.',
    });
  const rows = densities.map((density, index) => rowOfBin(index, density, `${source}: bin ${index + 1}`));
  return { rows, hasShares: true, notes: [assumedRates] };
}
