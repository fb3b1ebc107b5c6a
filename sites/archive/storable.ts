import { archiveEntrySchema } from './archive-index.ts';
import type { RecordedExchange } from './write-archive.ts';

const entrySchema = archiveEntrySchema.omit({ body: true, bodyBytes: true, requestBody: true });

export interface Storable {
  readonly exchanges: readonly RecordedExchange[];
  /** Addresses of those that no archive can hold: switches to web sockets, malformed headers, hosts that are no names. */
  readonly refused: readonly string[];
}

/** Parts what an archive can hold from what it cannot, so that one odd answer does not cost the whole recording. */
export function storable(exchanges: readonly RecordedExchange[]): Storable {
  const fits = ({ entry }: RecordedExchange): boolean => entrySchema.safeParse(entry).success;
  const refused = exchanges
    .filter((exchange) => !fits(exchange))
    .map(({ entry: { host, path, query } }) => `https://${host}${path}${query === '' ? '' : `?${query}`}`);
  return { exchanges: exchanges.filter(fits), refused };
}
