import { headerOf, leadsOn } from '../archive/headers.ts';
import type { RecordedExchange } from '../archive/write-archive.ts';

/**
 * Where a browser is sent to: the first page that was answered, or the redirect that led to it. One of plain http is
 * visited over TLS. Undefined where nothing was answered.
 */
export function startAddress(exchanges: readonly RecordedExchange[]): string | undefined {
  const asked = exchanges.filter(({ entry }) => entry.method === 'GET' && entry.status !== 0);
  const first = asked.find((exchange) => isPage(exchange)) ?? asked[0] ?? exchanges[0];
  if (first === undefined) return undefined;
  const { scheme = 'https', host, port = 443, path, query } = first.entry;
  const isDefault = port === 443 || (scheme === 'http' && port === 80);
  return `https://${host}${isDefault ? '' : `:${port}`}${path}${query === '' ? '' : `?${query}`}`;
}

function isPage({ entry }: RecordedExchange): boolean {
  const isHtml = headerOf(entry.headers, 'content-type')?.includes('html') ?? false;
  return leadsOn(entry) || (entry.status === 200 && isHtml);
}
