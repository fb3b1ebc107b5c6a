import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { openArchive } from '../../../../sites/archive/open-archive.ts';
import { importHar } from '../../../../sites/record/import-har.ts';
import { answersOf, importedHar } from '../../../support/imported-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const entryOf = (url: string, changes: object = {}, request: object = {}): object => ({
  startedDateTime: '2026-01-01T00:00:00Z',
  request: { method: 'GET', url, headers: [], ...request },
  response: { status: 200, headers: [], content: { text: 'text' }, ...changes },
});

test('preflights of one address allow what each of its requests needs', async (t) => {
  const allowed = { headers: [{ name: 'access-control-allow-origin', value: '*' }] };
  const asking = (method: string, ...names: readonly string[]): object => ({
    method,
    headers: ['origin', ...names].map((name) => ({ name, value: 'https://a.test' })),
  });
  const { index } = await importedHar(t, [
    entryOf('https://a.test/', { headers: [{ name: 'content-type', value: 'text/html' }] }),
    entryOf('https://far.test/x', allowed, asking('PUT', 'x-one')),
    entryOf('https://far.test/x', allowed, asking('DELETE', 'x-one', 'x-two')),
  ]);
  const preflights = index.entries.filter(({ method }) => method === 'OPTIONS');
  assert.deepEqual(
    preflights.map(({ headers }) => headers),
    [
      [
        ['access-control-allow-origin', '*'],
        ['access-control-allow-methods', 'PUT'],
        ['access-control-allow-headers', 'x-one'],
        ['access-control-allow-methods', 'DELETE'],
        ['access-control-allow-headers', 'x-two'],
      ],
    ],
  );
});

test('a text in a file of its own is said to be UTF-8 where Playwright decoded it, and keeps its bytes where not', async (t) => {
  const folder = tempFolder(t);
  const text = (url: string, type: string, file: string): object =>
    entryOf(url, { headers: [{ name: 'content-type', value: type }], content: { _file: file } });
  const entries = [
    text('https://a.test/', 'text/html; charset=windows-1251', 'page.html'),
    text('https://a.test/raw.js', 'text/javascript; charset=windows-1251', 'raw.js'),
    text('https://a.test/wide.txt', 'text/plain; charset=utf-16le', 'wide.txt'),
    text('https://a.test/i.png', 'image/png', 'i.png'),
  ];
  const files = {
    'har.har': Buffer.from(JSON.stringify({ log: { entries } })),
    'page.html': Buffer.from('<meta charset="windows-1251"><p>при'),
    'raw.js': Buffer.from([0xef, 0xf0, 0xe8]),
    'wide.txt': Buffer.from('ab', 'utf16le'),
    'i.png': Buffer.from('é'),
  };
  writeFileSync(join(folder, 'page.zip'), zipSync(files));
  const outDir = join(folder, 'archive');
  await importHar({ harFile: join(folder, 'page.zip'), outDir });
  const answers = answersOf(await openArchive(outDir));
  assert.deepEqual(answers['/'], [200, 'text/html; charset=utf-8', '<meta charset="utf-8"><p>при']);
  assert.equal(answers['/raw.js']?.[1], 'text/javascript; charset=windows-1251');
  assert.equal(answers['/wide.txt']?.[1], 'text/plain; charset=utf-16le');
  assert.equal(answers['/i.png']?.[1], 'image/png');
});

test('a page that looks at the status alone gets it again, and each answer of a server that put it off', async (t) => {
  const unread = { content: { size: -1, mimeType: 'text/plain' } };
  const { index, leftOut } = await importedHar(t, [
    entryOf('https://a.test/', { headers: [{ name: 'content-type', value: 'text/html' }] }),
    entryOf('https://a.test/denied', { ...unread, status: 401 }),
    entryOf('https://a.test/busy', { ...unread, status: 429 }),
    entryOf('https://a.test/busy'),
  ]);
  assert.deepEqual(
    index.entries.map(({ path, status, bodyBytes }) => [path, status, bodyBytes]),
    [
      ['/', 200, 4],
      ['/denied', 401, 0],
      ['/busy', 429, 0],
      ['/busy', 200, 4],
    ],
  );
  assert.deepEqual(leftOut, []);
});
