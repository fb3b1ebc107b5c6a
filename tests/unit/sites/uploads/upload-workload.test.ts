import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { receiptOf } from '../../../../src/core/model/sink-line.ts';
import type { PreparedWorkload } from '../../../../src/core/model/workload.ts';
import { fillingBytes, uploadBody } from '../../../../sites/page/upload-body.ts';
import { uploadWorkloadNamed, uploadWorkloads } from '../../../../sites/uploads/catalogue.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function prepared(
  t: TestContext,
  id: string,
  cacheDir: string = tempFolder(t),
): Promise<PreparedWorkload> {
  const workload = uploadWorkloadNamed(id);
  assert.ok(workload, id);
  return workload.prepare({
    cacheDir,
    projectDir: cacheDir,
    port: 8443,
    ffmpegPath: () => Promise.reject(new Error('an upload needs no ffmpeg')),
    progress: () => undefined,
    signal: AbortSignal.timeout(60_000),
  });
}

test('four sizes and a form ship, and the form by both ways of a page, each with the name that says it', () => {
  const shipped = uploadWorkloads();
  assert.deepEqual(
    shipped.map(({ id }) => id),
    ['upload-100kb', 'upload-1mb', 'upload-10mb', 'upload-100mb', 'upload-form', 'upload-form-xhr'],
  );
  assert.ok(shipped.every(({ kind, transfer }) => kind === 'upload' && transfer?.goes === 'up'));
  assert.equal(uploadWorkloadNamed('upload-250kb')?.transfer?.bytes, 250_000);
  assert.equal(uploadWorkloadNamed('upload-250kb-xhr')?.title, '250 KB upload, by XMLHttpRequest');
});

test('an upload by XMLHttpRequest sends what one by fetch sends', async (t) => {
  const byFetch = await prepared(t, 'upload-100kb');
  const byXhr = await prepared(t, 'upload-100kb-xhr');
  assert.equal(byXhr.upload?.sha256, byFetch.upload?.sha256);
  assert.ok('path' in byFetch.entry && byFetch.entry.path.includes('&way=fetch&'));
  assert.ok('path' in byXhr.entry && byXhr.entry.path.includes('&way=xhr&'));
});

test('sizes that no page can hold, and such as are none, are no names', () => {
  for (const name of ['0kb', '01mb', '201mb', '1gb', '1mb-x2', '1mb-fetch', 'form2', '-xhr', ''])
    assert.equal(uploadWorkloadNamed(`upload-${name}`), undefined, name);
});

test('what a file holds for clients without pages is what the page makes, and what the server must get', async (t) => {
  for (const [id, form, sizeBytes] of [
    ['upload-100kb', 'plain', 100_000],
    ['upload-form', 'form', 3_000_000],
  ] as const) {
    const { requests, upload, roots, entry, loggedHosts } = await prepared(t, id);
    const [request] = requests ?? [];
    const { bytes, contentType } = uploadBody(form, sizeBytes);
    const file = await readFile(request?.body?.file ?? '');
    assert.ok(file.equals(bytes), id);
    const sha256 = createHash('sha256').update(file).digest('hex');
    assert.deepEqual([upload?.bytes, upload?.sha256], [file.length, sha256]);
    assert.equal(request?.body?.contentType, contentType);
    assert.equal(request?.bytes, Buffer.byteLength(receiptOf({ bytes: file.length, sha256 })));
    const [page, sink] = roots;
    assert.notEqual(page?.host, sink?.host, 'the upload opens a connection of its own');
    assert.equal(sink?.origin?.kind, 'sink');
    assert.deepEqual(loggedHosts, [sink?.host]);
    assert.ok('path' in entry && entry.path.includes(`bytes=${sizeBytes}&form=${form}`));
    assert.match(await readFile(join(page?.directory ?? '', 'upload.html'), 'utf8'), /upload\.js/);
    const script = await readFile(join(page?.directory ?? '', 'upload.js'), 'utf8');
    assert.match(script, /from '\.\/upload-body\.js'/);
  }
});

test('two runs that prepare the same upload at once in one cache both get the whole body', async (t) => {
  const cacheDir = tempFolder(t);
  const both = await Promise.all([
    prepared(t, 'upload-form', cacheDir),
    prepared(t, 'upload-form', cacheDir),
  ]);
  const files = both.map(({ requests }) => requests?.[0]?.body?.file ?? '');
  assert.equal(files[0], files[1]);
  const sha256 = createHash('sha256')
    .update(await readFile(files[0] ?? ''))
    .digest('hex');
  assert.deepEqual(
    both.map(({ upload }) => upload?.sha256),
    [sha256, sha256],
  );
});

test('a form is one for other readers of forms too, with the photo as a file', async () => {
  const { bytes, contentType } = uploadBody('form', 50_001);
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  assert.deepEqual([...form.keys()], ['title', 'album', 'photo']);
  const photo = form.get('photo');
  assert.ok(photo instanceof File);
  assert.deepEqual([photo.name, photo.type, photo.size], ['photo.jpg', 'image/jpeg', 50_001]);
  assert.ok(Buffer.from(await photo.arrayBuffer()).equals(fillingBytes(50_001)));
});

test('what is sent is the same each time, and nothing compresses it', () => {
  const bytes = fillingBytes(100_003);
  assert.equal(bytes.byteLength, 100_003);
  assert.ok(Buffer.from(bytes).equals(fillingBytes(100_003)));
  assert.ok(gzipSync(bytes).length > 0.99 * bytes.byteLength);
});
