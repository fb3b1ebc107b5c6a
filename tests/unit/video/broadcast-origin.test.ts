import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { encodeLadder } from '../../../video/index.ts';
import { createBroadcastOrigin } from '../../../video/broadcast/broadcast-origin.ts';
import { parseBroadcastPath } from '../../../video/broadcast/broadcast-timeline.ts';
import { segmentParts } from '../../../video/broadcast/segment-parts.ts';
import { broadcastPath } from '../../../video/page/broadcast.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { videoContext } from '../../support/video-context.ts';

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Wall-clock time at which each piece came. */
  readonly pieces: readonly { readonly atEpochMs: number; readonly bytes: number }[];
}

/**
 * Looks up to `times` times, until `seen` holds: a server that holds back what it has is never seen to send it early, and
 * one that does not is, though the machine may let this process wait for a second now and then.
 */
async function onceIn<T>(times: number, look: () => Promise<T>, seen: (value: T) => boolean): Promise<void> {
  const values: T[] = [];
  while (values.length < times) {
    const value = await look();
    if (seen(value)) return;
    values.push(value);
  }
  assert.fail(`never seen: ${values.join(', ')}`);
}

describe('a broadcast', () => {
  const cleanups: (() => unknown)[] = [];
  const folder = tempFolder({ after: (cleanup) => cleanups.push(cleanup as () => unknown) });
  let directory = '';
  let asset = '';
  const socket = join(folder, 'live.sock');

  before(async () => {
    const encoded = await encodeLadder({ ladder: 'ci', seconds: 4 }, videoContext(folder));
    directory = encoded.directories.find((name) => /ci-2s-[^/]*$/.test(name)) ?? '';
    asset = directory.split('/').at(-1) ?? '';
    const server = createBroadcastOrigin(join(directory, '..'));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    cleanups.unshift(() => server.close());
  });

  after(() => cleanups.forEach((cleanup) => cleanup()));

  const get = (path: string): Promise<Received> =>
    new Promise((resolve, reject) => {
      request({ socketPath: socket, path }, (response) => {
        const pieces: { atEpochMs: number; bytes: number }[] = [];
        const body: Buffer[] = [];
        response.on('data', (piece: Buffer) => {
          body.push(piece);
          pieces.push({ atEpochMs: Date.now(), bytes: piece.length });
        });
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(body),
            pieces,
          });
        });
        response.on('error', reject);
      })
        .on('error', reject)
        .end();
    });

  test('the manifest says when it began and that segments can be had before they are complete', async () => {
    const { body } = await get(`/${broadcastPath(asset, Date.parse('2026-01-01T00:00:03Z'), 4)}`);
    const text = body.toString();
    assert.match(text, /type="dynamic" availabilityStartTime="2026-01-01T00:00:03\.000Z"/);
    assert.match(text, /mediaPresentationDuration="PT4S"/);
    assert.match(text, /availabilityTimeOffset="1" availabilityTimeComplete="false"/);
    assert.match(text, /<Representation id="10000k" codecs="avc1/);
  });

  test('each part of a segment comes when it has been made, and carries its share of the rate', async () => {
    const bytesOnDisk = (4_000_000 * 2) / 8;
    const oneSecondIn = async (): Promise<number> => {
      const began = Date.now() - 700;
      const { status, body, pieces } = await get(`/live/${began}/4/${asset}/4000k/00001.m4s`);
      assert.deepEqual([status, body.length], [200, bytesOnDisk]);
      assert.ok(pieces.every(({ atEpochMs }) => atEpochMs >= began + 995));
      const early = pieces.filter(({ atEpochMs }) => atEpochMs < began + 1995);
      return early.reduce((sum, { bytes }) => sum + bytes, 0);
    };
    await onceIn(5, oneSecondIn, (bytes) => {
      assert.ok(bytes <= bytesOnDisk / 2, 'nothing comes before it has been made');
      return bytes === bytesOnDisk / 2;
    });
  });

  test('browsers may keep what they read, so that Chromium does not call a body read to its end aborted', async () => {
    const began = Date.now() - 60_000;
    for (const path of ['live.mpd', '1000k/init.mp4', '1000k/00001.m4s'])
      assert.equal(
        (await get(`/live/${began}/4/${asset}/${path}`)).headers['cache-control'],
        'no-cache',
        path,
      );
  });

  test('what is in the past comes at once, and nothing of the media is changed', async () => {
    const path = join(directory, '1000k', '00002.m4s');
    const stored = readFileSync(path);
    let body: Buffer = Buffer.alloc(0);
    const tookMs = async (): Promise<number> => {
      const begun = Date.now();
      ({ body } = await get(`/live/${begun - 60_000}/4/${asset}/1000k/00002.m4s`));
      return Date.now() - begun;
    };
    await onceIn(5, tookMs, (ms) => ms < 900);
    let at = 0;
    for (const { offset, mediaBytes, paddingBytes } of await segmentParts(path)) {
      assert.deepEqual(body.subarray(at, at + mediaBytes), stored.subarray(offset, offset + mediaBytes));
      at += mediaBytes + paddingBytes;
    }
    assert.equal(at, body.length);
  });

  test('what is far ahead, beyond the end, or of no asset is not there', async () => {
    const now = Date.now();
    for (const path of [
      `/live/${now + 60_000}/4/${asset}/1000k/00001.m4s`,
      `/live/${now - 60_000}/4/${asset}/1000k/00003.m4s`,
      `/live/${now}/4/${asset}/999k/00001.m4s`,
      `/live/${now}/4/nothing/live.mpd`,
      '/live/1/4/../asset.json',
      '/',
    ])
      assert.equal((await get(path)).status, 404, path);
  });
});

test('an address leads nowhere but into its asset', () => {
  assert.deepEqual(parseBroadcastPath('/live/5/12/a-1/1k/00001.m4s'), {
    startEpochMs: 5,
    seconds: 12,
    asset: 'a-1',
    file: '1k/00001.m4s',
  });
  for (const path of [
    '/live/5/4/../x/live.mpd',
    '/live/5/4/a/../../x',
    '/live/x/4/a/live.mpd',
    '/live/5/4/a/b/c/d',
  ])
    assert.equal(parseBroadcastPath(path), undefined, path);
});
