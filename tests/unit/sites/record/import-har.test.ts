import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { brotliDecompressSync } from 'node:zlib';
import { openArchive } from '../../../../sites/archive/open-archive.ts';
import { importHar } from '../../../../sites/record/import-har.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function entry(url: string, response: object, request: object = {}): object {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url, headers: [], ...request },
    response: { status: 200, headers: [], content: {}, ...response },
    timings: { wait: 12.5 },
  };
}

function harFile(t: Parameters<typeof tempFolder>[0], content: unknown): string {
  const file = join(tempFolder(t), 'site.har');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('bodies come out of a HAR, encoded again as their headers say', async (t) => {
  const entries = [
    entry('https://a.example/?x=1', {
      headers: [
        { name: ':status', value: '200' },
        { name: 'content-encoding', value: 'br' },
        { name: 'link', value: '</a>\n</b>' },
        { name: 'set-cookie', value: 'id=1' },
      ],
      content: { text: '<p>hello</p>' },
    }),
    entry('https://b.example/i.png', { content: { text: 'AAEC', encoding: 'base64' } }),
    entry('https://b.example/none', { status: 204 }),
    entry('https://b.example/unsaved', { content: {} }),
    entry('data:,x', {}),
  ];
  const file = harFile(t, { log: { creator: { name: 'WebInspector', version: '537.36' }, entries } });
  const outDir = join(tempFolder(t), 'archive');
  const { skipped } = await importHar({ harFile: file, outDir });
  assert.deepEqual(skipped, ['https://b.example/unsaved']);
  const archive = await openArchive(outDir);
  assert.deepEqual(archive.hosts, ['a.example', 'b.example']);
  const [page, image] = archive.index.entries;
  assert.ok(page && image);
  assert.equal(brotliDecompressSync(archive.body(page)).toString(), '<p>hello</p>');
  assert.match(page.headers.at(-1)?.[1] ?? '', /^id=h2h3-/);
  assert.deepEqual(page.headers.slice(0, -1), [
    ['content-encoding', 'br'],
    ['link', '</a>'],
    ['link', '</b>'],
  ]);
  assert.equal(page.query, 'x=1');
  assert.deepEqual([...archive.body(image)], [0, 1, 2]);
  assert.deepEqual(archive.index.removed, { 'header set-cookie': 1 });
});

test('a file without bodies, or that is no HAR, is refused with what to do', async (t) => {
  const bodiless = { log: { entries: [entry('https://a.example/', {})] } };
  for (const content of ['{', {}, { log: { entries: [] } }, bodiless]) {
    await assert.rejects(
      importHar({ harFile: harFile(t, content), outDir: join(tempFolder(t), 'archive') }),
      (error) =>
        error instanceof H2h3Error && error.code === 'bad-input' && /h2h3 record/.test(error.next ?? ''),
    );
  }
});

test('a zip of Playwright holds its bodies in files of their own', async (t) => {
  const folder = tempFolder(t);
  const har = {
    log: {
      creator: { name: 'Playwright', version: '1.65' },
      entries: [
        {
          startedDateTime: '2026-01-01T00:00:00Z',
          request: { method: 'GET', url: 'https://a.test/', headers: [] },
          response: {
            status: 200,
            headers: [{ name: 'content-type', value: 'text/html' }],
            content: { _file: 'abc.html' },
          },
        },
      ],
    },
  };
  const files = { 'har.har': Buffer.from(JSON.stringify(har)), 'abc.html': Buffer.from('<p>from a file') };
  writeFileSync(join(folder, 'page.zip'), zipSync(files));
  const outDir = join(folder, 'archive');
  const { skipped } = await importHar({ harFile: join(folder, 'page.zip'), outDir });
  assert.deepEqual(skipped, []);
  const archive = await openArchive(outDir);
  const [entry] = archive.index.entries;
  assert.ok(entry);
  assert.equal(Buffer.from(archive.body(entry)).toString(), '<p>from a file');
});
