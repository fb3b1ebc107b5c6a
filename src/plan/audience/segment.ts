import { H2h3Error } from '../../core/model/errors.ts';
import { viewSchema, type View } from '../../core/model/workload.ts';
import { connectionFigures, effectiveTypes } from './connections.ts';
import { clientOfName, cpuShareOfMemory, formFactors } from './devices.ts';

/** A line of a file about users, as far as it says anything: its fields by the names of the file's head. */
export type Fields = ReadonlyMap<SegmentField, string>;

/** One line: page views that are alike. Without round trip or rate nothing can stand for them. */
export interface Segment {
  /** How many page views, in whatever unit the file counts. */
  readonly weight: number;
  readonly name: string | undefined;
  readonly rttMs: number | undefined;
  readonly downMbps: number | undefined;
  /** Undefined: a share of the rate down. */
  readonly upMbps: number | undefined;
  readonly lossPercent: number;
  readonly cpuSharePercent: number | undefined;
  /** Whether that is what is assumed for a device. */
  readonly isCpuAssumed: boolean;
  readonly family: '4' | '6' | 'both' | undefined;
  readonly view: View | undefined;
  readonly client: string | undefined;
  /** A browser that cannot be driven, as the file calls it. */
  readonly foreignBrowser: string | undefined;
}

/** What a field may be called, without capitals, blanks and underscores. The first name is ours. */
const fieldNames = {
  share: ['share', 'weight', 'pageviews', 'views', 'count'],
  name: ['name', 'title', 'segment'],
  rtt: ['rttMs', 'rtt', 'roundtripms', 'roundtriptime'],
  down: ['downMbps', 'downlink', 'downlinkmbps'],
  up: ['upMbps', 'uplink', 'uplinkmbps'],
  loss: ['lossPercent', 'plr'],
  cpu: ['cpuSharePercent'],
  family: ['family'],
  view: ['view'],
  client: ['client', 'browser'],
  memory: ['deviceMemory'],
  formFactor: ['formFactor'],
  connection: ['connection', 'connectivity'],
  effectiveType: ['effectiveType', 'effectiveconnectiontype', 'ect'],
} as const;
export type SegmentField = keyof typeof fieldNames;

/** The field that a column is; undefined of one that is not used. */
export function fieldOf(column: string): SegmentField | undefined {
  const plain = column.toLowerCase().replace(/[\s_-]/g, '');
  const found = Object.entries(fieldNames).find(([, names]) =>
    names.some((name) => name.toLowerCase() === plain),
  );
  return found?.[0] as SegmentField | undefined;
}

/** Names of ours, for errors. */
export const ownFieldNames =
  'share, rttMs, downMbps, upMbps, lossPercent, cpuSharePercent, family, view, client, browser';

/** What no connection has. Chromium gives at most 3000 ms and 10 Mbit/s. */
const limits: Readonly<Partial<Record<SegmentField, readonly [unit: string, min: number, max: number]>>> = {
  share: ['page views', 0, Number.MAX_SAFE_INTEGER],
  rtt: ['ms', 0, 60_000],
  down: ['Mbit/s', 0, 10_000],
  up: ['Mbit/s', 0, 10_000],
  loss: ['percent', 0, 99],
  cpu: ['percent of a CPU', 1, 10_000],
  memory: ['GB', 0, 10_000],
};

function wrong(place: string, field: SegmentField, got: string, expected: string): H2h3Error {
  return new H2h3Error('bad-input', `${place}: ${fieldNames[field][0]} "${got}" is not ${expected}`, {
    context: { expected, got },
    next: 'Correct the line, or leave the value empty: page views without a figure are left out and counted.',
  });
}

/** Undefined of an empty value. @throws H2h3Error `bad-input` for no number, and for one that is absurd */
function numberIn(fields: Fields, field: SegmentField, place: string): number | undefined {
  const text = fields.get(field)?.trim() ?? '';
  if (text === '') return undefined;
  const [unit, min, max] = limits[field] ?? ['', 0, Infinity];
  const value = Number(text.replace(/%$/, ''));
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw wrong(place, field, text, `a number from ${min} to ${max} (${unit})`);
}

function oneOf<T>(
  fields: Fields,
  field: SegmentField,
  place: string,
  words: Readonly<Record<string, T>>,
): T | undefined {
  const text = fields.get(field)?.trim().toLowerCase() ?? '';
  if (text === '') return undefined;
  if (!Object.hasOwn(words, text)) throw wrong(place, field, text, `one of ${Object.keys(words).join(', ')}`);
  return words[text];
}

const families = { 4: '4', 6: '6', ipv4: '4', ipv6: '6', both: 'both' } as const;
const views = Object.fromEntries(viewSchema.options.map((view) => [view, view]));

/** The CPU share that a line gives, or else what is assumed for its device. */
function cpuOf(fields: Fields, place: string): Pick<Segment, 'cpuSharePercent' | 'isCpuAssumed'> {
  const given = numberIn(fields, 'cpu', place);
  if (given !== undefined) return { cpuSharePercent: given, isCpuAssumed: false };
  const memoryGb = numberIn(fields, 'memory', place);
  const ofForm = oneOf(fields, 'formFactor', place, formFactors);
  const assumed = memoryGb === undefined ? ofForm : cpuShareOfMemory(memoryGb);
  return { cpuSharePercent: assumed, isCpuAssumed: assumed !== undefined };
}

/**
 * Reads one line.
 *
 * @param place names the line in an error, such as `users.csv:17`
 * @throws H2h3Error `bad-input` with line and value
 */
export function segmentOf(fields: Fields, place: string): Segment {
  const named =
    oneOf(fields, 'connection', place, connectionFigures) ??
    oneOf(fields, 'effectiveType', place, effectiveTypes);

  const textIn = (field: SegmentField): string | undefined => fields.get(field)?.trim() || undefined;
  const browser = textIn('client');
  const client = browser === undefined ? undefined : clientOfName(browser);
  return {
    weight: numberIn(fields, 'share', place) ?? (fields.has('share') ? 0 : 1),
    name: textIn('name'),
    rttMs: numberIn(fields, 'rtt', place) ?? named?.rttMs,
    downMbps: numberIn(fields, 'down', place) ?? named?.downMbps,
    upMbps: numberIn(fields, 'up', place) ?? named?.upMbps,
    lossPercent: numberIn(fields, 'loss', place) ?? 0,
    ...cpuOf(fields, place),
    family: oneOf(fields, 'family', place, families),
    view: oneOf(fields, 'view', place, views),
    client: client ?? undefined,
    foreignBrowser: client === null ? browser : undefined,
  };
}
