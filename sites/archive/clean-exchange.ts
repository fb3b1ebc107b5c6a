import type { SecretCleaner } from './secrets.ts';
import type { RecordedExchange } from './write-archive.ts';

/** RFC 9110, 7.6.1, and what would name this recording's own connection or another one. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'alt-svc',
]);

/** Takes out what belongs to a connection, and replaces cookies, credentials and tokens unless they are asked for. */
export function cleanExchange(exchange: RecordedExchange, cleaner: SecretCleaner): RecordedExchange {
  const { entry, requestBody } = exchange;
  const headersOf = (headers: readonly (readonly [string, string])[]): [string, string][] =>
    headers
      .filter(([name]) => !connectionHeaders.has(name.toLowerCase()))
      .map(([name, value]) => [name, cleaner.responseHeader(name, value)]);
  const vary = Object.entries(entry.vary ?? {}).map(([name, value]) => [
    name,
    cleaner.requestHeader(name, value),
  ]);
  return {
    ...exchange,
    entry: {
      ...entry,
      path: cleaner.path(entry.path),
      query: cleaner.query(entry.query),
      headers: headersOf(entry.headers),
      hints: (entry.hints ?? []).map(headersOf),
      vary: Object.fromEntries(vary) as Record<string, string>,
    },
    requestBody: requestBody && cleaner.requestBody(requestBody, entry.requestType ?? ''),
  };
}

/** Values of the request headers that an answer's `Vary` names; `*` names none that could be compared. */
export function varyOf(
  headers: readonly (readonly [string, string])[],
  requestHeader: (name: string) => string | undefined,
): Record<string, string> {
  const names = headers
    .filter(([name]) => name.toLowerCase() === 'vary')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && name !== '*');
  return Object.fromEntries(names.map((name) => [name, requestHeader(name) ?? '']));
}
