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
const secretHeaders = new Set([
  'set-cookie',
  'set-cookie2',
  'authorization',
  'www-authenticate',
  'authentication-info',
]);
const secretKeys = /token|secret|passw|signature|session|api_?key|^(auth|sid|sig|jwt|key)$/i;

/** Whether values of this query key are credentials. */
export function isSecretKey(key: string): boolean {
  return secretKeys.test(key);
}

/** Stands for the value of a query key that was taken out. */
const removedValue = 'removed';

export interface CleanedExchange {
  readonly exchange: RecordedExchange;
  /** Names of what was taken out, one for each time. */
  readonly removed: readonly string[];
}

/** Takes out what belongs to a connection, and cookies, credentials and tokens unless they are asked for. */
export function cleanExchange(exchange: RecordedExchange, keepSecrets: boolean): CleanedExchange {
  const removed: string[] = [];
  const headers = exchange.entry.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    if (connectionHeaders.has(lower)) return false;
    if (keepSecrets || !secretHeaders.has(lower)) return true;
    removed.push(`header ${lower}`);
    return false;
  });
  const query = keepSecrets ? exchange.entry.query : cleanQuery(exchange.entry.query, removed);
  return { exchange: { ...exchange, entry: { ...exchange.entry, headers, query } }, removed };
}

function cleanQuery(query: string, removed: string[]): string {
  return query
    .split('&')
    .map((pair) => {
      const [key = '', value] = pair.split('=', 2);
      if (value === undefined || value === '' || !isSecretKey(key)) return pair;
      removed.push(`query ${key}`);
      return `${key}=${removedValue}`;
    })
    .join('&');
}
