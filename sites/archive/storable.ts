import { addressOf } from './address-of.ts';
import { archiveEntrySchema, isStorableHeader } from './archive-index.ts';
import type { Header } from './headers.ts';
import type { RecordedExchange } from './write-archive.ts';

const entrySchema = archiveEntrySchema.omit({ body: true, bodyBytes: true, requestBody: true });

export interface Storable {
  readonly exchanges: readonly RecordedExchange[];
  /** Addresses of those that no archive can hold: switches to web sockets, hosts that are no names. */
  readonly refused: readonly string[];
  /** Headers that HTTP/2 and HTTP/3 cannot carry, which are left out of their answers: names and addresses. */
  readonly oddHeaders: readonly string[];
}

/** Parts what an archive can hold from what it cannot, so that no odd answer costs the whole recording, and no odd header its answer. */
export function storable(exchanges: readonly RecordedExchange[]): Storable {
  const fits = ({ entry }: RecordedExchange): boolean => entrySchema.safeParse(entry).success;
  const cleaned = exchanges.map(withoutOddHeaders);
  return {
    exchanges: cleaned.filter(fits),
    refused: cleaned.filter((exchange) => !fits(exchange)).map(({ entry }) => addressOf(entry)),
    oddHeaders: exchanges.flatMap((exchange) =>
      exchange.entry.headers
        .filter((header) => !isStorableHeader(header))
        .map(([name]) => `"${name.replaceAll(/[^\x20-\x7e]/g, '?')}" of ${addressOf(exchange.entry)}`),
    ),
  };
}

function withoutOddHeaders(exchange: RecordedExchange): RecordedExchange {
  const kept = (headers: readonly Header[]): [string, string][] =>
    headers.filter(isStorableHeader).map(([name, value]) => [name, value]);
  const { headers, hints = [] } = exchange.entry;
  return { ...exchange, entry: { ...exchange.entry, headers: kept(headers), hints: hints.map(kept) } };
}
