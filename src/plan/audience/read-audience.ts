import type { Audience } from '../../core/model/audience.ts';
import { parseForeignJson } from '../../core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { chooseConditions } from './choose-conditions.ts';
import { withoutSteering } from '../../core/model/steering-characters.ts';
import { cruxAnswer, cruxColumns, type CruxColumns } from './crux-rows.ts';
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
  /** Columns that were met and are not used; filled as rows are read. */
  readonly unused: ReadonlySet<string>;
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
  const ofCrux = cruxAnswer(value);
  if (ofCrux !== undefined) return audienceOf(rowsOfCrux(ofCrux, source), source);
  const list: unknown = Array.isArray(value) ? value : isObject(value) ? value['segments'] : undefined;
  if (!Array.isArray(list))
    throw new H2h3Error('bad-input', `${source} has no list of segments`, {
      context: {
        expected: 'a list, one under "segments", or an answer of the CrUX API',
        got: text.slice(0, 80),
      },
    });
  const unused = new Set<string>();
  const rows = list.map((item: unknown, index) => objectRow(item, `${source}: segment ${index + 1}`, unused));
  return audienceOf(withShares(rows, source, unused), source);
}

function audienceOf({ rows, hasShares, notes, unused }: Rows, source: string): Audience {
  const bins = binSegments(segmentsOf(rows));
  return chooseConditions(bins, { source, hasShares, notes: [...notes, ...unusedNote(unused)], seed });
}

/** Columns that are named; of more the number is said. */
const maxNamedColumns = 8;
const maxNameLength = 40;

function unusedNote(unused: ReadonlySet<string>): string[] {
  if (unused.size === 0) return [];
  const names = [...unused]
    .slice(0, maxNamedColumns)
    .map((name) => withoutSteering(name.slice(0, maxNameLength)));
  const more = unused.size - names.length;
  return [`Columns that are not used: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
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

/** A file whose objects have no two names alike is no reason to keep them all. */
const maxKnownUnused = 1000;

/** @param unused gets the names that are no field of ours */
function objectRow(item: unknown, place: string, unused: Set<string>): Row {
  if (!isObject(item)) throw new H2h3Error('bad-input', `${place} is no object of fields`);
  const fields = new Map<SegmentField, string>();
  for (const [name, value] of Object.entries(item)) {
    const field = fieldOf(name);
    if (field === undefined && unused.size < maxKnownUnused) unused.add(name);
    if (field !== undefined && (typeof value === 'string' || typeof value === 'number'))
      fields.set(field, String(value));
  }
  return { fields, place };
}

/** Rows that are all in memory. */
function withShares(rows: readonly Row[], source: string, unused: ReadonlySet<string>): Rows {
  const hasShares = rows.some(({ fields }) => fields.has('share'));
  requireFields(new Set(rows.flatMap(({ fields }) => [...fields.keys()])), source);
  return { rows, hasShares, notes: [], unused };
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
  const crux = cruxColumns(names);
  if (crux !== undefined) return rowsOfBigQuery(crux, names, { next, separator, place });
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
  const unused = new Set(names.filter((_, index) => columns[index] === undefined));
  return { rows: rows(), hasShares: known.has('share'), notes: [], unused };
}

function rowsOfObjects(head: string, next: () => string | undefined, place: () => string): Rows {
  const unused = new Set<string>();
  const first = objectRow(jsonOf(head, place()), place(), unused);
  function* rows(): Generator<Row> {
    yield first;
    for (let line = next(); line !== undefined; line = next())
      yield objectRow(jsonOf(line, place()), place(), unused);
  }
  return { rows: rows(), hasShares: first.fields.has('share'), notes: [], unused };
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

interface TableText {
  readonly next: () => string | undefined;
  readonly separator: string;
  readonly place: () => string;
}

/** Rows of the BigQuery tables of the Chrome UX Report; every origin of a file counts alike. */
function rowsOfBigQuery(
  crux: CruxColumns,
  columns: readonly string[],
  { next, separator, place }: TableText,
): Rows {
  function* rows(): Generator<Row> {
    for (let line = next(); line !== undefined; line = next()) {
      const cells = cellsOf(line, separator);
      yield* cruxRows(crux, (column) => cells[columns.indexOf(column)] ?? '', place());
    }
  }
  return { rows: rows(), hasShares: false, notes: crux.notes, unused: new Set() };
}

function cruxRows({ rowsOf }: CruxColumns, valueOf: (column: string) => string, place: string): Row[] {
  return rowsOf(valueOf).map(({ share, fields }) => ({
    fields: new Map<SegmentField, string>([['share', String(share)], ...fields]),
    place,
  }));
}

function rowsOfCrux(shares: ReadonlyMap<string, string>, source: string): Rows {
  const crux = cruxColumns([...shares.keys()]);
  if (crux === undefined)
    throw new H2h3Error('bad-input', `${source} has no histogram of round trips in three bins`, {
      context: { expected: 'record.metrics.round_trip_time.histogram', got: `${shares.size} shares` },
      next: 'Ask the CrUX API for the metric round_trip_time too.',
    });
  const rows = cruxRows(crux, (column) => shares.get(column) ?? '', source);
  return { rows, hasShares: true, notes: crux.notes, unused: new Set() };
}
