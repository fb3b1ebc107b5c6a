import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { prepareAsset } from '../../../../video/encoder/prepare-asset.ts';
import type { AssetRequest } from '../../../../video/encoder/asset.ts';
import { readFragmentedFile } from '../../../../video/encoder/fragmented-file.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { videoContext } from '../../../support/video-context.ts';

const ci = ladderNamed('ci');

const request = (chunkSeconds: number): AssetRequest => ({
  ladder: ci,
  chunkSeconds,
  mediaSeconds: 4,
  filmSeconds: 4,
  playSeconds: [4],
  source: { kind: 'generated' },
});

test('every padded segment has exactly its bitrate, starts with a keyframe, and takes little room', async (t) => {
  const steps: string[] = [];
  const context = videoContext(tempFolder(t), { progress: (step) => steps.push(step.title) });
  const { asset, directory } = await prepareAsset(request(2), context);
  assert.deepEqual(
    asset.tracks.map((track) => track.segmentBytes),
    ci.tracks.map((track) => [track.bitrateKbps * 250, track.bitrateKbps * 250]),
  );
  assert.match(asset.codecs, /^avc1\.[0-9A-F]{6}$/);
  assert.ok(steps.includes('encoding video'));
  const init = await readFragmentedFile(join(directory, '10000k', 'init.mp4'));
  assert.ok(init.track !== null);
  assert.deepEqual([init.track.width, init.track.height], [640, 360]);
  const file = join(directory, '10000k', '00002.m4s');
  const segment = await readFragmentedFile(file, init.track.defaults);
  const [first] = segment.fragments;
  assert.equal(first?.startsWithKeyframe, true);
  assert.equal(first.decodeTimeTicks / init.track.timescale, 2);
  assert.deepEqual(
    segment.boxes.map((box) => box.type),
    ['moof', 'mdat', 'moof', 'mdat', 'free'],
  );
  const { size, blocks } = statSync(file);
  assert.equal(size, 2_500_000);
  t.diagnostic(`${size} bytes take ${blocks * 512} on disk`);
});

test('all chunk lengths share one encode, and what is cached is used again', async (t) => {
  const cacheDir = tempFolder(t);
  const one = await prepareAsset(request(1), videoContext(cacheDir));
  const four = await prepareAsset(request(4), videoContext(cacheDir));
  assert.equal(readdirSync(join(cacheDir, 'video', 'encodes')).length, 1);
  const mediaOf = (directory: string, file: string, bytes: number): Buffer =>
    readFileSync(join(directory, '1000k', file)).subarray(0, bytes);
  assert.deepEqual(mediaOf(one.directory, '00001.m4s', 2000), mediaOf(four.directory, '00001.m4s', 2000));
  const before = statSync(join(one.directory, 'asset.json')).mtimeMs;
  await prepareAsset(request(1), videoContext(cacheDir));
  assert.equal(statSync(join(one.directory, 'asset.json')).mtimeMs, before);
});

test('media longer than the film repeat it: the same pictures, later, without a gap', async (t) => {
  const context = videoContext(tempFolder(t));
  const looped = { ...request(1), mediaSeconds: 5, filmSeconds: 2, playSeconds: [5] };
  const { asset, directory } = await prepareAsset(looped, context);
  const track = join(directory, '1000k');
  const files = ['init.mp4', ...[1, 2, 3, 4, 5].map((number) => `0000${number}.m4s`)];
  const [init, first, , third, , fifth] = files.map((file) => readFileSync(join(track, file)));
  assert.ok(asset.tracks.every(({ segmentBytes }) => segmentBytes.length === 5));
  const pictures = (segment: Buffer | undefined): Buffer | undefined =>
    segment?.subarray(segment.indexOf('mdat'));
  assert.deepEqual([pictures(third), pictures(fifth)], [pictures(first), pictures(first)]);
  assert.notDeepEqual(third, first, 'its time and its number have gone on');
  const joined = join(directory, 'joined.mp4');
  writeFileSync(joined, Buffer.concat(files.map((file) => readFileSync(join(track, file)))));
  assert.ok(init !== undefined);
  const { fragments, track: header } = await readFragmentedFile(joined);
  assert.deepEqual(
    fragments.map(({ decodeTimeTicks }) => decodeTimeTicks / (header?.timescale ?? NaN)),
    [0, 1, 2, 3, 4],
  );
  const ffmpeg = await context.ffmpegPath();
  const decode = ['-v', 'error', '-xerror', '-i', joined, '-f', 'framemd5', '-'];
  const frames = execFileSync(ffmpeg, decode, { encoding: 'utf8' }).split('\n');
  const sums = frames.filter((line) => line.startsWith('0,')).map((line) => line.split(',').at(-1));
  assert.equal(sums.length, 150);
  assert.deepEqual(sums.slice(60, 120), sums.slice(0, 60), 'every frame is that of the first round');
});

test('an asset with a file cut short is made again', async (t) => {
  const cacheDir = tempFolder(t);
  const { directory } = await prepareAsset(request(2), videoContext(cacheDir));
  const damaged = join(directory, '4000k', '00001.m4s');
  truncateSync(damaged, 100);
  await prepareAsset(request(2), videoContext(cacheDir));
  assert.equal(statSync(damaged).size, 1_000_000);
});

test('a failing ffmpeg leaves nothing that could pass for an asset', async (t) => {
  const cacheDir = tempFolder(t);
  const ffmpeg = join(cacheDir, 'ffmpeg');
  // Says its version, writes half a file, fails.
  writeFileSync(
    ffmpeg,
    [
      '#!/bin/sh',
      '[ "$1" = -version ] && { echo "ffmpeg version test"; exit 0; }',
      'for last; do :; done',
      '[ "$last" = -encoders ] && { echo " V..... libx264 H.264"; exit 0; }',
      'echo half > "$last"; echo "it broke" >&2; exit 1',
    ].join('\n'),
    { mode: 0o755 },
  );
  await assert.rejects(
    prepareAsset(request(2), videoContext(cacheDir, { ffmpegPath: () => Promise.resolve(ffmpeg) })),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'process-failed' &&
      error.context.stderrTail === 'it broke',
  );
  const left = existsSync(join(cacheDir, 'video'))
    ? readdirSync(join(cacheDir, 'video'), { recursive: true })
    : [];
  assert.deepEqual(left, ['work']);
});

test('an encode that cannot be decoded to its last frame is not kept', async (t) => {
  const cacheDir = tempFolder(t);
  const real = await videoContext(cacheDir).ffmpegPath();
  const ffmpeg = join(cacheDir, 'ffmpeg');
  // Encodes one frame less than it is told to.
  writeFileSync(
    ffmpeg,
    `#!/bin/sh\nfor argument; do shift; [ "$argument" = 120 ] && argument=119; set -- "$@" "$argument"; done\nexec "${real}" "$@"\n`,
    { mode: 0o755 },
  );
  await assert.rejects(
    prepareAsset(request(2), videoContext(cacheDir, { ffmpegPath: () => Promise.resolve(ffmpeg) })),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'process-failed' &&
      /cannot be played/.test(error.message) &&
      error.context.got === '119 frames',
  );
  assert.deepEqual(readdirSync(join(cacheDir, 'video'), { recursive: true }), ['work']);
});

test('an interrupted preparation says so, and what a crash left is cleared away', async (t) => {
  const cacheDir = tempFolder(t);
  const abort = new AbortController();
  abort.abort();
  await assert.rejects(
    prepareAsset(request(2), videoContext(cacheDir, { signal: abort.signal })),
    (error) => error instanceof H2h3Error && error.code === 'interrupted',
  );
  // No process has a number this high.
  await mkdir(join(cacheDir, 'video', 'work', '4194399-crashed', 'partial'), { recursive: true });
  await prepareAsset(request(2), videoContext(cacheDir));
  assert.deepEqual(readdirSync(join(cacheDir, 'video', 'work')), []);
});

test('a ladder too low for its video is refused with both sizes', async (t) => {
  const tracks = [{ bitrateKbps: 20, width: 640, height: 360 }, ...ci.tracks];
  await assert.rejects(
    prepareAsset({ ...request(2), ladder: { ...ci, tracks } }, videoContext(tempFolder(t))),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'bad-input' &&
      error.context.expected?.includes('4992 bytes') === true,
  );
});
