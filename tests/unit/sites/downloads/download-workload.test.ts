import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { downloadWorkloadNamed } from '../../../../sites/downloads/catalogue.ts';
import { downloadWorkload } from '../../../../sites/downloads/download-workload.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const contextIn = (cacheDir: string) => ({
  cacheDir,
  projectDir: cacheDir,
  port: 8443,
  ffmpegPath: () => Promise.reject(new Error('a download needs no ffmpeg')),
  progress: () => undefined,
  signal: AbortSignal.timeout(60_000),
});

test('a download serves a sparse body of exactly its size from a host of its own', async (t) => {
  const cacheDir = tempFolder(t);
  const context = contextIn(cacheDir);
  const workload = downloadWorkload({ id: 'download-50mb-x2', sizeBytes: 50_000_000, streams: 2 });
  const prepared = await workload.prepare(context);
  const [page, bodies] = prepared.roots;
  assert.ok(page && bodies);
  assert.notEqual(page.host, bodies.host);
  const body = await stat(join(bodies.directory, '50000000.bin'));
  assert.equal(body.size, 50_000_000);
  assert.ok(body.blocks * 512 < 1_000_000, `takes ${body.blocks} blocks`);
  assert.match(await readFile(join(page.directory, 'download.html'), 'utf8'), /download\.js/);
  assert.doesNotMatch(await readFile(join(page.directory, 'download.js'), 'utf8'), /interface/);
  const again = await downloadWorkload({ id: 'download-1mb', sizeBytes: 1_000_000, streams: 1 }).prepare(
    context,
  );
  assert.deepEqual(again.roots, prepared.roots, 'one server can hold every download');
});

test('a download may come after a rest, by its name', () => {
  const titleOf = (id: string): string | undefined => downloadWorkloadNamed(id)?.title;
  assert.match(titleOf('download-300kb-rest10s') ?? '', /^300 KB download, again after 10 s of rest$/i);
  assert.match(titleOf('download-1mb-x4') ?? '', /4 parallel streams$/);
  for (const id of [
    'download-1mb-rest0s',
    'download-1mb-rest100s',
    'download-1mb-slow',
    'download-1mb-rests',
  ])
    assert.equal(titleOf(id), undefined, id);
});

test('a download may come next to another that is left unread, and waits for that to fill its window', async (t) => {
  const workload = downloadWorkloadNamed('download-1mb-unread10mb');
  assert.match(workload?.title ?? '', /^1 MB download, next to 10 MB left unread$/i);
  assert.equal(downloadWorkloadNamed('download-1mb-unread'), undefined);
  assert.equal(downloadWorkloadNamed('download-1mb-rest1s-unread10mb'), undefined);
  const cacheDir = tempFolder(t);
  const prepared = await workload?.prepare(contextIn(cacheDir));
  assert.ok(prepared !== undefined);
  const [, bodies] = prepared.roots;
  assert.equal((await stat(join(bodies?.directory ?? '', '10000000.unkept'))).size, 10_000_000);
  assert.match(
    'path' in prepared.entry ? prepared.entry.path : '',
    /bytes=1000000&streams=1&unread=10000000\.unkept&unreadFirst=\d+&unreadAtMost=\d+$/,
  );
  assert.deepEqual(
    prepared.requests?.map(({ path }) => path),
    ['/1000000.bin?stream=0'],
  );
});
