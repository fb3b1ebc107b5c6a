import { ownEntry } from '../../src/core/model/own-entry.ts';
import { fieldsOf, listOf, recordSeparator, type Fields } from './qlog-records.ts';

/**
 * Brings qlogs into the form of the IETF drafts. Sections are those of draft-ietf-quic-qlog-quic-events-13 (QUIC),
 * draft-ietf-quic-qlog-h3-events-13 (H3) and the main schema of their day, draft-ietf-quic-qlog-main-schema-14 (MAIN).
 * Nothing is lost: what the drafts have no field for stands next to the event’s data, where custom fields may stand (MAIN 7), as
 * `as_written`. Nothing is invented: what a draft demands and the log does not have stays missing.
 */

/** Brings the data of an event into form; what the drafts have no field for is put into `left`. */
type Correction = (data: Fields, left: Record<string, unknown>) => Fields;

/** A program whose logs differ from the drafts that they name, and what brings their records into form. */
interface Writer {
  readonly wrote: (head: Fields) => boolean;
  readonly head: (head: Fields) => Fields;
  /** What the drafts call its event. */
  readonly nameOf: (written: string) => string;
  /** By the drafts’ name; what has none here is in form. */
  readonly corrections: Readonly<Record<string, Correction>>;
}

/**
 * The records of a log in sequence (RFC 7464), one a line; those of other writers are left as they are.
 *
 * @param clean applied to each: servers write down the headers of requests and answers
 */
export async function* inDraftsForm(
  lines: AsyncIterable<string>,
  clean: <T>(value: T) => T,
): AsyncGenerator<string> {
  let writer: Writer | undefined;
  for await (const line of lines) {
    const record = parsed(line);
    if (record !== null && 'trace' in record) writer = [quicGo, openSsl].find(({ wrote }) => wrote(record));
    // A record that was cut short, as the last may be, has no form to be brought into.
    const kept = clean(record === null || writer === undefined ? record : corrected(record, writer));
    if (kept === null) yield `${clean(line)}\n`;
    else yield kept === record ? `${line}\n` : `${recordSeparator}${JSON.stringify(kept)}\n`;
  }
}

function corrected(record: Fields, { head, nameOf, corrections: corrections }: Writer): Fields {
  if ('trace' in record) return head(record);
  if (!('data' in record)) return record;
  const name = nameOf(textOf(record['name']));
  const left: Record<string, unknown> = {};
  const data = ownEntry(corrections, name)?.(fieldsOf(record['data']), left) ?? record['data'];
  return { ...record, name, data, ...(Object.keys(left).length === 0 ? {} : { as_written: left }) };
}

const description = (program: string, drafts: string): string =>
  `Written by ${program}, brought by h2h3 into the form of ${drafts}: what these have no field for stands in as_written of its event`;

/** The events of no draft have a namespace and a schema of their own, whose name must be no URN of the drafts’ form (MAIN 8.1). */
const ownNamespace = 'quic-go';
const ownSchema = `h2h3:qlog:${ownNamespace}`;

/**
 * Caddy’s too. It names version 12, but calls most events and some fields as versions before it did, and writes others that came
 * after it: 13 is the first that has a type for each frame that it writes.
 */
const quicGo: Writer = {
  wrote: ({ title, trace }) =>
    title === 'quic-go qlog' &&
    listOf(fieldsOf(trace)['event_schemas']).includes('urn:ietf:params:qlog:events:quic-12'),
  // MAIN 3 and 5: a head has these fields only, but common fields may be any (MAIN 7.5).
  head: ({ file_schema, serialization_format, title, trace, ...written }) => {
    const { event_schemas, common_fields: common, ...more } = fieldsOf(trace);
    const schemas = listOf(event_schemas).map((schema) => textOf(schema).replace(/-12$/, '-13'));
    const drafts = 'draft-ietf-quic-qlog-main-schema-14, quic-events-13 and h3-events-13';
    return {
      file_schema,
      serialization_format,
      title,
      description: `${description('quic-go', drafts)}, and what stood in the head in head_as_written of the common fields.`,
      trace: {
        ...more,
        event_schemas: [...schemas, ownSchema],
        common_fields: { ...fieldsOf(common), head_as_written: { ...written, event_schemas } },
      },
    };
  },
  nameOf: (written) => {
    const name = draftName(written);
    return /^(?:quic|http3|loglevel):/.test(name) ? name : `${ownNamespace}:${name.replace(':', '_')}`;
  },
  corrections: {
    'quic:version_information': mendedVersions,
    // QUIC 5.2: an identifier is bytes, text or both.
    'quic:alpn_information': (data) =>
      changed(data, 'chosen_alpn', (alpn) => (typeof alpn === 'string' ? { string_value: alpn } : alpn)),
    'quic:parameters_set': (data) => withIds(data, /connection_id$/),
    // QUIC 5.4
    'quic:parameters_restored': (data, left) =>
      without(data, ['ack_delay_exponent', 'max_ack_delay', 'reset_stream_at'], left),
    'quic:packet_sent': mendedPacket,
    'quic:packet_received': mendedPacket,
    'quic:packet_buffered': mendedPacket,
    'quic:packet_lost': mendedPacket,
    'quic:packet_dropped': mendedDrop,
    // QUIC 4.8
    'quic:mtu_updated': (data) => renamed(data, 'mtu', 'new'),
    // QUIC 7.6
    'quic:ecn_state_updated': (data, left) => without(data, ['trigger'], left),
    'quic:timer_updated': mendedTimer,
    'http3:frame_created': mendedHttpFrame,
    'http3:frame_parsed': mendedHttpFrame,
  },
};

/** That of curl, whose `qlog_version` 0.3 and names of events are those of version 04; sections are that version’s. */
const openSsl: Writer = {
  wrote: ({ qlog_version: version, trace }) =>
    version === '0.3' && /^OpenSSL\//.test(textOf(fieldsOf(fieldsOf(trace)['vantage_point'])['name'])),
  head: ({ trace, ...head }) => ({
    ...head,
    description: `${description('OpenSSL', 'draft-ietf-quic-qlog-quic-events-04')}.`,
    trace,
  }),
  nameOf: (written) => written,
  corrections: {
    // 4.6
    'connectivity:connection_state_updated': (data) => renamed(data, 'state', 'new'),
    // 5.3
    'transport:parameters_set': (data, left) => without(data, ['original_source_connection_id'], left),
  },
};

/** QUIC 3: there is one namespace since version 09; before it, names had categories. */
const draftNames: Readonly<Record<string, string>> = {
  ...oneNamespace('transport', [
    'connection_started',
    'connection_closed',
    'version_information',
    'alpn_information',
    'parameters_set',
    'parameters_restored',
    'packet_sent',
    'packet_received',
    'packet_buffered',
    'packet_dropped',
  ]),
  ...oneNamespace('recovery', [
    'mtu_updated',
    'packet_lost',
    'congestion_state_updated',
    'ecn_state_updated',
  ]),
  ...oneNamespace('security', ['key_updated', 'key_discarded']),
  'recovery:metrics_updated': 'quic:recovery_metrics_updated',
  'recovery:loss_timer_updated': 'quic:timer_updated',
  'transport:priority_updated': 'http3:priority_updated',
  'transport:debug': 'loglevel:debug',
};

function oneNamespace(category: string, events: readonly string[]): Record<string, string> {
  return Object.fromEntries(events.map((event) => [`${category}:${event}`, `quic:${event}`]));
}

/** What version 13 calls an event, whichever version its name is of; a name that it does not know stays. */
export function draftName(name: string): string {
  return ownEntry(draftNames, name) ?? name;
}

/** QUIC 5.1 and 8.1: a version is hexadecimal digits of whole bytes, and has four of them (RFC 9000, 15). */
function mendedVersions(data: Fields): Fields {
  return ['client_versions', 'server_versions', 'supported_versions', 'chosen_version', 'version'].reduce(
    (mendedSoFar, name) => changed(mendedSoFar, name, versionsOf),
    data,
  );
}

/** QUIC 5.5 to 5.8 and 7.4; no version up to 13 has those three. */
function mendedPacket(data: Fields, left: Record<string, unknown>): Fields {
  const known = without(data, ['datagram_payload_checksum', 'is_coalesced', 'ecn'], left);
  const withHeader = changed(mendedVersions(known), 'header', (header) => mendedHeader(fieldsOf(header)));
  return changed(withHeader, 'frames', (frames) => mendedFrames(listOf(frames), left));
}

/** QUIC 8.8. A type that was not found out is written as no text at all. */
function mendedHeader(header: Fields): Fields {
  const { packet_type: type, key_phase_bit: bit } = header;
  return {
    ...withToken(withIds(mendedVersions(header), /^[sd]cid$/)),
    ...(type === '' ? { packet_type: 'unknown' } : {}),
    ...(bit === '0' || bit === '1' ? { key_phase_bit: bit === '1' } : {}),
  };
}

/** QUIC 8.9: the bytes of a token are raw. */
function withToken(data: Fields): Fields {
  return changed(data, 'token', (token) => ('data' in fieldsOf(token) ? { raw: token } : token));
}

/** QUIC 8.2: an identifier without bytes has no digits. */
function withIds(data: Fields, names: RegExp): Fields {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, names.test(name) && value === '(empty)' ? '' : value]),
  );
}

/** QUIC 5.7 has categories, and examples of each; what it has no example of is `general`. */
const dropCategories: Readonly<Record<string, string>> = {
  unknown_connection_id: 'connection_unknown',
  header_parse_error: 'invalid',
  payload_decrypt_error: 'decryption_failure',
  protocol_violation: 'invalid',
  dos_prevention: 'rejected',
  unsupported_version: 'unsupported',
  unexpected_packet: 'general',
  unexpected_source_connection_id: 'general',
  unexpected_version: 'general',
};

function mendedDrop(data: Fields, left: Record<string, unknown>): Fields {
  const packet = mendedPacket(data, left);
  const trigger = ownEntry(dropCategories, textOf(data['trigger']));
  if (trigger === undefined) return packet;
  left['trigger'] = data['trigger'];
  return { ...packet, trigger };
}

/** QUIC 5.21 and 8.7; the drafts know no timer of path probes, and one that is cancelled may be written without its type. */
const timerFields: Readonly<Record<string, readonly unknown[]>> = {
  timer_type: ['ack', 'pto'],
  packet_number_space: ['initial', 'handshake', 'application_data'],
};

function mendedTimer(data: Fields, left: Record<string, unknown>): Fields {
  const unknown = Object.keys(timerFields).filter((name) => !timerFields[name]?.includes(data[name]));
  return without(data, unknown, left);
}

/** Frames of extensions that the drafts have no type for, with their types on the wire. */
const extensionFrames: Readonly<Record<string, number>> = {
  ack_frequency: 0xaf,
  immediate_ack: 0x1f,
};

function mendedFrames(frames: readonly unknown[], left: Record<string, unknown>): Fields[] {
  return frames.map((written, index) => {
    const frame = fieldsOf(written);
    const type = textOf(frame['frame_type']);
    const bytes = ownEntry(extensionFrames, type);
    if (bytes === undefined) return ownEntry(frameMends, type)?.(frame) ?? frame;
    left['frames'] = { ...fieldsOf(left['frames']), [index]: frame };
    // QUIC 8.13.22
    return { frame_type: 'unknown', frame_type_bytes: bytes };
  });
}

const frameMends: Readonly<Record<string, (frame: Fields) => Fields>> = {
  crypto: rawLength,
  stream: rawLength,
  datagram: rawLength,
  reset_stream: numberedError,
  reset_stream_at: numberedError,
  stop_sending: numberedError,
  connection_close: mendedClose,
  new_token: withToken,
  // QUIC 8.13.16
  new_connection_id: (frame) => renamed(frame, 'length', 'connection_id_length'),
};

/** QUIC 8.13.7, 8.13.9 and 8.13.23: what the field Length of a frame says is logged as the length of `raw`. */
function rawLength({ length, ...frame }: Fields): Fields {
  return length === undefined ? frame : { ...frame, raw: { length } };
}

/** QUIC 8.13.4 to 8.13.6 and 8.13.25: an error whose name is not known is `unknown`, with its number next to it. */
function numberedError(frame: Fields): Fields {
  return { error: 'unknown', ...frame };
}

/** QUIC 8.13.20; an alert of TLS has a name with its number in it (QUIC 8.13.26). */
function mendedClose(written: Fields): Fields {
  const { error_code: error, raw_error_code: code, ...frame } = written;
  if (code === undefined) return written;
  if (frame['error_space'] !== 'transport') return numberedError({ ...frame, error_code: code });
  if (typeof error === 'string') return { ...frame, error };
  if (typeof code === 'number' && code >= 0x100 && code <= 0x1ff)
    return { ...frame, error: `crypto_error_0x${code.toString(16)}` };
  return numberedError({ ...frame, error_code: code });
}

/** H3 3.5 and 3.6: lengths are the frame’s. H3 4.2.2 and 4.2.4: a field section is called `headers`, a setting has a number. */
function mendedHttpFrame({ frame, raw, ...data }: Fields): Fields {
  const named = renamed(fieldsOf(frame), 'header_fields', 'headers');
  const known = changed(named, 'settings', (settings) => listOf(settings).map(numericSetting));
  return { ...data, frame: raw === undefined ? known : { ...known, raw } };
}

function numericSetting(setting: unknown): Fields {
  return changed(fieldsOf(setting), 'value', (value) => (typeof value === 'boolean' ? Number(value) : value));
}

function versionsOf(version: unknown): unknown {
  if (Array.isArray(version)) return version.map(versionsOf);
  return typeof version === 'string' ? version.padStart(8, '0') : version;
}

/** The data with another value of a field, where it has that. */
function changed(data: Fields, name: string, change: (value: unknown) => unknown): Fields {
  return name in data ? { ...data, [name]: change(data[name]) } : data;
}

function renamed(data: Fields, from: string, to: string): Fields {
  const { [from]: value, ...more } = data;
  return from in data ? { ...more, [to]: value } : data;
}

/** The data but for those fields, which are put into `left`. */
function without(data: Fields, names: readonly string[], left: Record<string, unknown>): Fields {
  const kept = { ...data };
  for (const name of names) {
    if (name in kept) left[name] = kept[name];
    delete kept[name];
  }
  return kept;
}

/** Empty for what is no text: such a record is another program's, or damaged. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

declare global {
  /** Of ECMAScript’s source text access of JSON, which Node has and the types do not. */
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** Null for what is no object, or no whole one. */
function parsed(line: string): Fields | null {
  try {
    const text = line.replace(recordSeparator, '');
    const value: unknown = JSON.parse(text, /\d{16}/.test(text) ? exact : undefined);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/** Numbers of QUIC have up to 62 bits, JavaScript’s 53. */
function exact(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return JSON.rawJSON(context?.source ?? String(value));
}
