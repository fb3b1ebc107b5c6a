import type { ArchiveEntry } from '../archive/archive-index.ts';
import { headerOf, type Header } from '../archive/headers.ts';

export interface Clock {
  /** The present, ms. */
  readonly nowEpochMs: number;
  /** By how much the day of the replay is later than that of the recording, ms: the same for a whole replay, so that what a browser sends back can be compared. */
  readonly shiftMs: number;
}

/**
 * The headers of an answer as the recorded server would send them today: `Date` is the present, `Expires` and the ends
 * of cookies are as far from it as they were, and `Last-Modified` is as old as it was. So a cache keeps an old archive's
 * answers as long as a fresh one's.
 */
export function movedHeaders(headers: readonly Header[], recordedEpochMs: number, clock: Clock): Header[] {
  const dated = timeOf(headerOf(headers, 'date')) ?? recordedEpochMs;
  const sinceDateMs = clock.nowEpochMs - dated;
  return headers.map(([name, value]): Header => {
    switch (name.toLowerCase()) {
      case 'date':
        return [name, moved(value, sinceDateMs)];
      case 'expires':
        return [name, moved(value, sinceDateMs)];
      case 'last-modified':
        return [name, moved(value, clock.shiftMs)];
      case 'set-cookie':
        return [
          name,
          value.replace(
            /(;\s*expires=)([^;]+)/i,
            (_, key: string, end: string) => key + moved(end, sinceDateMs),
          ),
        ];
      default:
        return [name, value];
    }
  });
}

/** Whether a browser that asks with these conditions has this answer already (RFC 9110, 13.1). */
export function isUnchanged(
  entry: Pick<ArchiveEntry, 'method' | 'status'>,
  headers: readonly Header[],
  conditions: { readonly ifNoneMatch: string | undefined; readonly ifModifiedSince: string | undefined },
): boolean {
  if (entry.status !== 200 || (entry.method !== 'GET' && entry.method !== 'HEAD')) return false;
  const tag = headerOf(headers, 'etag');
  if (conditions.ifNoneMatch !== undefined) {
    if (conditions.ifNoneMatch.trim() === '*') return true;
    const known = conditions.ifNoneMatch.match(/(W\/)?"[^"]*"/g) ?? [];
    return tag !== undefined && known.some((each) => weak(each) === weak(tag));
  }
  const modified = timeOf(headerOf(headers, 'last-modified'));
  const since = timeOf(conditions.ifModifiedSince);
  return modified !== undefined && since !== undefined && modified <= since;
}

/** Of an unchanged answer's headers those that a 304 has (RFC 9110, 15.4.5): none that describe the body. */
export function headersOfUnchanged(headers: readonly Header[]): Header[] {
  return headers.filter(
    ([name]) => !/^content-(length|type|encoding|range|language|disposition)$/i.test(name),
  );
}

function weak(tag: string): string {
  return tag.replace(/^W\//, '');
}

function moved(text: string, byMs: number): string {
  const epochMs = timeOf(text);
  // `Expires: 0` and the like mean the past, whatever the day.
  return epochMs === undefined ? text : new Date(epochMs + byMs).toUTCString();
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined || !/[a-z]{3}.*\d\d:\d\d/i.test(text)) return undefined;
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
