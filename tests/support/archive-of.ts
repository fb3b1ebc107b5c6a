import { archiveEntrySchema, archiveIndexSchema } from '../../sites/archive/archive-index.ts';
import type { Archive } from '../../sites/archive/open-archive.ts';

/** An answer of an archive, and what it was asked by. */
export interface Given {
  readonly path: string;
  readonly scheme?: 'http' | 'https';
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly pauses?: readonly (readonly [number, number])[];
  readonly hints?: readonly (readonly (readonly [string, string])[])[];
  readonly text?: string | Buffer;
}

/** An archive of one host, which keeps its bodies in memory. */
export function archiveOf(given: readonly Given[]): Archive {
  const bodies = new Map(given.map(({ text: body = '' }, at) => [at * 10, Buffer.from(body)]));
  const entries = given.map(({ path, status = 200, headers = [], text: body = '', ...rest }, at) => {
    const [pathname = '', query = ''] = path.split('?');
    const steady = { method: 'GET', host: 'site.test', range: '', requestBody: null, body: null, waitMs: 0 };
    const own = { path: pathname, query, status, headers, startMs: at * 10, bodyBytes: body.length };
    return archiveEntrySchema.parse({ ...steady, ...own, ...rest });
  });
  const index = archiveIndexSchema.parse({
    schemaVersion: 1,
    urls: ['https://site.test/'],
    recordedAt: '2026-01-01T00:00:00Z',
    recorder: 'test',
    complete: true,
    entries,
    removed: {},
  });
  return {
    index,
    hosts: ['site.test'],
    body: ({ startMs }) => bodies.get(startMs) ?? Buffer.alloc(0),
    requestBody: () => null,
  };
}
