import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createHeldOrigin } from '../../../video/held-origin.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const delayMs = 300;

interface Answer {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: string;
  readonly tookMs: number;
}

async function startOrigin(t: TestContext): Promise<(path: string) => Promise<Answer>> {
  const folder = tempFolder(t);
  const mediaDir = join(folder, 'media');
  mkdirSync(join(mediaDir, 'film', '1000k'), { recursive: true });
  writeFileSync(join(folder, 'outside.mpd'), 'not to be had');
  writeFileSync(join(mediaDir, 'film', 'play-4s.mpd'), 'manifest');
  for (const number of [4, 5])
    writeFileSync(join(mediaDir, 'film', '1000k', `0000${number}.m4s`), `chunk ${number}`);
  const socketPath = join(folder, 'held.sock');
  const server = createHeldOrigin(mediaDir);
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  t.after(() => server.close());
  return async (path) => {
    const startMs = performance.now();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ socketPath, path }, resolve).once('error', reject).end();
    });
    const body = (await response.toArray()).join('');
    return {
      status: response.statusCode,
      type: response.headers['content-type'],
      body,
      tookMs: performance.now() - startMs,
    };
  };
}

test('of media in a held folder each fifth chunk comes later, whole, and nothing else does', async (t) => {
  const get = await startOrigin(t);
  const held = await get(`/held-${delayMs}ms-5/film/1000k/00005.m4s`);
  assert.deepEqual([held.status, held.type, held.body], [200, 'video/iso.segment', 'chunk 5']);
  assert.ok(held.tookMs >= delayMs - 1, `${held.tookMs} ms`);
  // One of three tries is quick enough, or what is asked for is always held back.
  const quickest = async (path: string): Promise<number> =>
    Math.min(...[await get(path), await get(path), await get(path)].map(({ tookMs }) => tookMs));
  for (const path of [
    `/held-${delayMs}ms-5/film/1000k/00004.m4s`,
    `/held-${delayMs}ms-5/film/play-4s.mpd`,
    '/film/1000k/00005.m4s',
  ])
    assert.ok((await quickest(path)) < delayMs, path);
});

test('what is not below the folder of the media is not there', async (t) => {
  const get = await startOrigin(t);
  for (const path of [
    '/film',
    '/film/2000k/00001.m4s',
    '/..%2foutside.mpd',
    '/held-1ms-1/..%2f..%2foutside.mpd',
  ])
    assert.equal((await get(path)).status, 404, path);
});
