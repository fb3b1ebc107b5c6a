import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ArchiveIndex } from '../../../../sites/archive/archive-index.ts';
import { archiveWorkload } from '../../../../sites/archive/archive-workload.ts';
import { openArchive } from '../../../../sites/archive/open-archive.ts';
import { storable } from '../../../../sites/archive/storable.ts';
import { writeArchive, type RecordedExchange } from '../../../../sites/archive/write-archive.ts';
import { recordSite } from '../../../../sites/record/record-site.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const head = {
  urls: ['https://shop.example/'],
  recordedAt: '2026-01-01T00:00:00Z',
  recorder: 'test',
  complete: true,
  removed: {},
};

function exchange(
  path: string,
  body: string,
  changes: Partial<RecordedExchange['entry']> = {},
): RecordedExchange {
  return {
    entry: {
      method: 'GET',
      host: 'shop.example',
      path,
      query: '',
      range: '',
      status: 200,
      headers: [
        ['Content-Type', 'text/html'],
        ['Link', '</a>'],
        ['Link', '</b>'],
      ],
      startMs: 0,
      waitMs: 1,
      ...changes,
    },
    requestBody: null,
    body: Buffer.from(body),
  };
}

async function written(t: Parameters<typeof tempFolder>[0]): Promise<string> {
  const directory = join(tempFolder(t), 'shop');
  const none = { ...exchange('/none', '', { status: 204 }), body: null };
  await writeArchive(directory, head, [exchange('/', 'hello'), exchange('/same', 'hello'), none]);
  return directory;
}

test('an archive gives back every byte and every header, and stores equal bodies once', async (t) => {
  const directory = await written(t);
  assert.equal(readdirSync(join(directory, 'bodies')).length, 1);
  const archive = await openArchive(directory);
  assert.deepEqual(archive.hosts, ['shop.example']);
  const bodies = archive.index.entries.map((entry) => Buffer.from(archive.body(entry)).toString());
  assert.deepEqual(bodies, ['hello', 'hello', '']);
  assert.deepEqual(archive.index.entries[0]?.headers.slice(1), [
    ['Link', '</a>'],
    ['Link', '</b>'],
  ]);
});

test('every answer to the same request is kept in order, and a 304 does not replace one with content', async (t) => {
  const directory = join(tempFolder(t), 'shop');
  const unchanged = { ...exchange('/', '', { status: 304 }), body: null };
  const alone = { ...exchange('/alone', '', { status: 304 }), body: null };
  await writeArchive(directory, head, [exchange('/', 'first'), unchanged, exchange('/', 'second'), alone]);
  const archive = await openArchive(directory);
  const bodies = archive.index.entries.map((entry) => Buffer.from(archive.body(entry)).toString());
  assert.deepEqual(bodies, ['first', 'second', '']);
});

test('what an archive leaves out has the value that stands for its absence, and one of a newer version is named so', async (t) => {
  const directory = await written(t);
  edit(directory, (index) => {
    const old = { ...index, schemaVersion: 1, secretsKey: undefined, failures: undefined };
    old.entries = index.entries.map((entry) => ({ ...entry, scheme: undefined, port: undefined }) as never);
    Object.assign(index, old);
  });
  const { index } = await openArchive(directory);
  assert.deepEqual([index.entries[0]?.scheme, index.entries[0]?.port, index.failures], ['https', 443, []]);
  edit(directory, (changed) => Object.assign(changed, { schemaVersion: 2 }));
  await assert.rejects(openArchive(directory), /newer version/);
});

test('only https addresses of a host in the archive are visited', async (t) => {
  for (const url of [
    'file:///etc/hostname',
    'https://elsewhere.example/',
    'http://shop.example/',
    'no address',
    'https://user:pw@shop.example/',
  ]) {
    const directory = await written(t);
    edit(directory, (index) => Object.assign(index, { urls: [url] }));
    await assert.rejects(openArchive(directory), /damaged/, url);
    assert.throws(() => archiveWorkload(directory), /damaged/, url);
  }
});

test('an original that answered nothing is no archive', async (t) => {
  const directory = join(tempFolder(t), 'shop');
  const none = { ...exchange('/', '', { status: 0, failure: 'broken' }), body: null };
  await writeArchive(directory, head, [none]);
  await assert.rejects(
    openArchive(directory),
    (error) => error instanceof H2h3Error && /answered nothing/.test(error.context.got ?? ''),
  );
});

test('an archive is never written over', async (t) => {
  const directory = await written(t);
  await assert.rejects(
    writeArchive(directory, head, [exchange('/', 'other')]),
    (error) => error instanceof H2h3Error && error.code === 'usage',
  );
  assert.equal((await openArchive(directory)).index.entries.length, 3);
});

const damages: Readonly<Record<string, (directory: string) => void>> = {
  'a body that was changed': (directory) => writeFileSync(bodyOf(directory), 'HELLO'),
  'a body that was cut off': (directory) => truncateSync(bodyOf(directory), 3),
  'a body that is gone': (directory) => rmSync(bodyOf(directory)),
  'an index that is gone': (directory) => rmSync(join(directory, 'index.json')),
  'an index that was cut off': (directory) => truncateSync(join(directory, 'index.json'), 100),
  'a body name that leads out of the folder': (directory) =>
    edit(directory, (index) => entryOf(index, (entry) => (entry.body = '../../secret'))),
  'a header that holds a second one': (directory) =>
    edit(directory, (index) => entryOf(index, (entry) => (entry.headers = [['x', 'a\r\nset-cookie: b']]))),
  'a header beyond one byte a character': (directory) =>
    edit(directory, (index) => entryOf(index, (entry) => (entry.headers = [['x', 'ł']]))),
  'a wrong length': (directory) =>
    edit(directory, (index) => entryOf(index, (entry) => (entry.bodyBytes = 4))),
  'no version': (directory) => edit(directory, (index) => Object.assign(index, { schemaVersion: 0 })),
};

for (const [damage, inflict] of Object.entries(damages)) {
  test(`${damage} is refused`, async (t) => {
    const directory = await written(t);
    inflict(directory);
    await assert.rejects(
      openArchive(directory),
      (error) => error instanceof H2h3Error && error.code === 'bad-input' && /damaged/.test(error.message),
    );
  });
}

function bodyOf(directory: string): string {
  return join(directory, 'bodies', readdirSync(join(directory, 'bodies'))[0] ?? '');
}

function edit(directory: string, change: (index: ArchiveIndex) => void): void {
  const file = join(directory, 'index.json');
  const index = JSON.parse(readFileSync(file, 'utf8')) as ArchiveIndex;
  change(index);
  writeFileSync(file, JSON.stringify(index));
}

function entryOf(index: ArchiveIndex, change: (entry: ArchiveIndex['entries'][number]) => void): void {
  const [entry] = index.entries;
  assert.ok(entry);
  change(entry);
}

test('what is in the place of a new archive is said before anything is recorded', async (t) => {
  const outDir = await written(t);
  const isRefusal = (error: unknown): boolean =>
    error instanceof H2h3Error && error.code === 'usage' && /exists already/.test(error.message);
  const file = join(outDir, 'index.json');
  for (const taken of [outDir, file]) {
    // Nothing that recording needs is there.
    const options = {
      urls: ['https://shop.example/'],
      browserPath: '/no/browser',
      mitmdump: ['/no/mitmdump'],
    };
    const signal = AbortSignal.timeout(60_000);
    const recording = { ...options, outDir: taken, proxyPort: 1, progress: () => undefined, signal };
    await assert.rejects(recordSite(recording), isRefusal);
    await assert.rejects(writeArchive(taken, head, [exchange('/', 'new')]), isRefusal);
  }
  const empty = tempFolder(t);
  await writeArchive(empty, head, [exchange('/', 'new')]);
  assert.equal((await openArchive(empty)).index.entries.length, 1);
});

test('answers that no archive can hold are left out by name, and the others are kept', () => {
  const socket = exchange('/socket', '', { status: 101, query: 'a=1' });
  const { exchanges, refused } = storable([exchange('/', 'kept'), socket]);
  assert.deepEqual(
    exchanges.map(({ entry }) => entry.path),
    ['/'],
  );
  assert.deepEqual(refused, ['https://shop.example/socket?a=1']);
});

test('an odd header is left out by name, and its answer is kept', () => {
  const headers: [string, string][] = [
    ['X-Lines', 'two\nlines'],
    ['X Powered By', 'php'],
    ['X-C', 'a\x01b'],
    ['', 'nameless'],
    ['X-Kept', 'caf\xe9'],
  ];
  const { exchanges, refused, oddHeaders } = storable([exchange('/odd', '', { headers, hints: [headers] })]);
  assert.deepEqual(
    [exchanges[0]?.entry.headers, exchanges[0]?.entry.hints],
    [[['X-Kept', 'caf\xe9']], [[['X-Kept', 'caf\xe9']]]],
  );
  assert.deepEqual(refused, []);
  assert.deepEqual(
    oddHeaders,
    ['X-Lines', 'X Powered By', 'X-C', ''].map((name) => `"${name}" of https://shop.example/odd`),
  );
});
