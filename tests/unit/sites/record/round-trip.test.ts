import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { entryKey, type ArchiveIndex } from '../../../../sites/archive/archive-index.ts';
import { openArchive, type Archive } from '../../../../sites/archive/open-archive.ts';
import { sha256 } from '../../../../sites/archive/write-archive.ts';
import { storeArchive } from '../../../../sites/archive/store-archive.ts';
import { exportHar } from '../../../../sites/record/export-har.ts';
import { exportWarc } from '../../../../sites/record/export-warc.ts';
import { importHar } from '../../../../sites/record/import-har.ts';
import { importWarc } from '../../../../sites/record/import-warc.ts';
import { readWarc } from '../../../../sites/record/read-warc.ts';
import { objectionsToHar } from '../../../support/other-har-reader.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const common = {
  host: 'a.test',
  query: '',
  range: '',
  startMs: 0,
  waitMs: 0,
  headers: [] as [string, string][],
};
const page: [string, string][] = [
  ['Content-Type', 'text/html'],
  ['Content-Encoding', 'br'],
  ['Link', '</a>'],
  ['Link', '</b>'],
  ['X-Byte', 'caf\u00e9'],
];

const cut: [string, string][] = [['Content-Encoding', 'br']];

async function original(t: TestContext): Promise<Archive> {
  const outDir = join(tempFolder(t), 'archive');
  const head = {
    urls: ['https://a.test/'],
    recordedAt: '2026-01-01T00:00:00.000Z',
    recorder: 'test',
    complete: true,
    failures: [{ method: 'GET', url: 'https://dead.test/', reason: 'net::ERR_NAME_NOT_RESOLVED' }],
  };
  await storeArchive({ outDir }, head, [
    {
      entry: { ...common, method: 'GET', path: '/', status: 200, headers: page },
      requestBody: null,
      body: brotliCompressSync('<p>words</p>'),
    },
    ...['one', 'two'].map((body, at) => ({
      entry: { ...common, method: 'GET', path: '/state', port: 8443, status: 200, startMs: 5 + at },
      requestBody: null,
      body: Buffer.from(body),
    })),
    {
      entry: {
        ...common,
        method: 'POST',
        path: '/api',
        status: 201,
        startMs: 9,
        requestType: 'application/octet-stream',
        vary: { 'x-who': 'me' },
        headers: [['Vary', 'X-Who']],
      },
      requestBody: Buffer.from([0, 255, 1, 254]),
      body: Buffer.from([7, 0, 200]),
    },
    {
      entry: { ...common, method: 'HEAD', path: '/', status: 204, startMs: 12 },
      requestBody: null,
      body: null,
    },
    {
      entry: {
        ...common,
        method: 'GET',
        path: '/never',
        status: 0,
        startMs: 13,
        failure: 'aborted',
        visit: 1,
      },
      requestBody: null,
      body: null,
    },
    {
      entry: {
        ...common,
        method: 'GET',
        path: '/cut',
        status: 200,
        startMs: 14,
        waitMs: 3.5,
        failure: 'broken',
        hints: [[['link', '</h>']]],
        pauses: [[2, 150]],
        query: 'key=alice',
        headers: cut,
      },
      requestBody: null,
      body: brotliCompressSync('words that never came whole').subarray(0, 7),
    },
  ]);
  return openArchive(outDir);
}

/** The key too, so that what stands for a secret still does. */
function assertSameHead(again: ArchiveIndex, first: ArchiveIndex): void {
  const head = ({
    urls,
    recordedAt,
    complete,
    secretsKey,
    failures,
    lacks,
    device,
  }: ArchiveIndex): unknown => ({ urls, recordedAt, complete, secretsKey, failures, lacks, device });
  assert.deepEqual(head(again), head(first));
}

function told(archive: Archive): unknown[] {
  return archive.index.entries.map((entry) => {
    const body = Buffer.from(archive.body(entry));
    const isWhole = entry.failure === null && entry.headers.some(([name]) => name === 'Content-Encoding');
    const decoded = isWhole ? brotliDecompressSync(body) : body;
    const { status, headers, startMs, failure, hints, pauses, visit, waitMs } = entry;
    const rest = { status, headers, startMs, failure, hints, pauses, visit, waitMs };
    return [entryKey(entry), decoded.toString('latin1'), rest];
  });
}

test('an archive comes back from a HAR as it was, but for how a body was encoded', async (t) => {
  const archive = await original(t);
  const folder = tempFolder(t);
  await exportHar(archive, join(folder, 'site.har'));
  const { index, leftOut, warnings } = await importHar({
    harFile: join(folder, 'site.har'),
    outDir: join(folder, 'again'),
  });
  assert.deepEqual([index.urls, leftOut, warnings], [['https://a.test/'], [], []]);
  assertSameHead(index, archive.index);
  assert.deepEqual(told(await openArchive(join(folder, 'again'))), told(archive));
});

test('an archive comes back from a WARC file as it was, to the byte', async (t) => {
  const archive = await original(t);
  const folder = tempFolder(t);
  await exportWarc(archive, join(folder, 'site.warc.gz'));
  await importWarc({
    warcFile: join(folder, 'site.warc.gz'),
    outDir: join(folder, 'again'),
    signal: new AbortController().signal,
  });
  const again = await openArchive(join(folder, 'again'));
  assertSameHead(again.index, archive.index);
  assert.deepEqual(told(again), told(archive));
  assert.deepEqual(again.index.entries[0]?.body, archive.index.entries[0]?.body);
});

test('an exported HAR is one for another reader', async (t) => {
  const file = join(tempFolder(t), 'site.har');
  await exportHar(await original(t), file);
  const objections = objectionsToHar(file);
  if (objections === undefined)
    return t.skip('npm has no har-validator here: it was not asked (npm install --global har-validator)');
  assert.equal(objections, '');
});

test('digests of an exported WARC file are those that another reader finds', async (t) => {
  const file = join(tempFolder(t), 'site.warc.gz');
  await exportWarc(await original(t), file);
  const records = await readWarc(file, new AbortController().signal);
  const digests = records
    .filter(({ headers }) => ['request', 'response'].includes(headers.get('warc-type') ?? ''))
    .map(({ headers, block }) => {
      const payload = block.subarray(block.indexOf('\r\n\r\n') + 4);
      return [headers.get('warc-payload-digest'), `sha256:${sha256(payload)}`];
    });
  assert.ok(digests.length > 10);
  for (const [written, found] of digests) assert.equal(written, found);
  if (spawnSync('python3', ['-c', 'import warcio']).status !== 0)
    return t.skip('python3 has no warcio here: its check was not run (pip install warcio)');
  const check = spawnSync('python3', ['-m', 'warcio.cli', 'check', '-v', file], { encoding: 'utf8' });
  assert.equal(check.status, 0, check.stdout + check.stderr);
  assert.match(check.stdout, /digest pass/);
  assert.doesNotMatch(check.stdout, /fail/);
});
