import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** A record of a qlog that its draft has a type for, or should have. */
export interface QlogRecord {
  /** The name of the event; `(file)` is what stands before all events. */
  readonly name: string;
  readonly value: unknown;
}

const fileRecord = '(file)';

type Fields = Readonly<Record<string, unknown>>;

function linesOf(file: string): AsyncIterable<string> {
  const bytes = createReadStream(file);
  return createInterface({
    input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes,
    crlfDelay: Infinity,
  });
}

const eventOf = (value: Fields): QlogRecord => ({ name: String(value['name']), value: value['data'] });

/** Null for a record that was cut short because its writer was ended (RFC 7464, section 2.4, demands that readers go on). */
function whole(record: string): Fields | null {
  try {
    return JSON.parse(record) as Fields;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/** The records of a log of either form: JSON text sequences (RFC 7464) one a line, or one JSON text of traces. */
export async function* qlogRecords(file: string): AsyncGenerator<QlogRecord> {
  let text = '';
  for await (const line of linesOf(file))
    if (text === '' && line.startsWith('\u001e')) {
      const value = whole(line.slice(1));
      if (value !== null) yield 'time' in value ? eventOf(value) : { name: fileRecord, value };
    } else text += line;
  if (text.trim() === '') return;
  const { traces = [], ...rest } = JSON.parse(text) as Fields & { readonly traces?: readonly Fields[] };
  // Events are held to their own types.
  yield { name: fileRecord, value: { ...rest, traces: traces.map((trace) => ({ ...trace, events: [] })) } };
  for (const { events = [] } of traces) for (const event of events as readonly Fields[]) yield eventOf(event);
}

/** The type of a draft that a record must have: of a log in sequence, of traces, or of an event by its name. */
export function typeOfRecord({ name, value }: QlogRecord, types: ReadonlySet<string>): string | undefined {
  if (name === fileRecord) return 'trace' in (value as Fields) ? 'QlogFileSeq' : 'QlogFile';
  return typeOfEvent(name, types);
}

/** `recovery:metrics_updated` is `QUICRecoveryMetricsUpdated`, `http3:frame_parsed` is `H3FrameParsed`; undefined: the drafts have none. */
export function typeOfEvent(name: string, types: ReadonlySet<string>): string | undefined {
  const [category = '', event = ''] = name.split(':');
  const bare = event.replaceAll('_', '');
  const prefixes = /^(http|h3)/.test(category)
    ? ['h3', 'http3', 'http']
    : ['quic', 'quicrecovery', category, ''];
  const wanted = prefixes.map((prefix) => `${prefix}${bare}`.toLowerCase());
  return [...types].find((type) => wanted.includes(type.toLowerCase()));
}

/** Whether a log itself says that the events of that namespace have a schema of their own, of which no draft knows (main schema, section 8.1). */
export function isOfOwnSchema(name: string, head: unknown): boolean {
  const { trace } = head as { readonly trace?: { readonly event_schemas?: readonly string[] } };
  const namespace = name.split(':')[0] ?? '';
  return (trace?.event_schemas ?? []).some(
    (schema) => !schema.startsWith('urn:ietf:') && schema.split(/[:/#]/).includes(namespace),
  );
}
