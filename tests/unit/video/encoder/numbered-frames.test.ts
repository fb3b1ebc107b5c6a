import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { segmentParts } from '../../../../video/broadcast/segment-parts.ts';
import { prepareAsset } from '../../../../video/encoder/prepare-asset.ts';
import { clock } from '../../../../video/ladders/catalogue.ts';
import { frameNumberIn, numberBits } from '../../../../video/page/frame-number.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { videoContext } from '../../../support/video-context.ts';

test('each frame is a part of its own and says its number, as a page reads it', async (t) => {
  const context = videoContext(tempFolder(t));
  const source = { kind: 'generated' } as const;
  const request = {
    ladder: clock,
    chunkSeconds: 1,
    mediaSeconds: 2,
    filmSeconds: 2,
    playSeconds: [2],
    source,
  };
  const { asset, directory } = await prepareAsset(request, context);
  assert.equal(asset.partSeconds, 1 / 30);
  const track = join(directory, '1500k');
  const files = ['00001.m4s', '00002.m4s'].map((name) => join(track, name));
  for (const file of files) assert.equal((await segmentParts(file)).length, 30);
  const whole = join(directory, 'whole.mp4');
  writeFileSync(whole, Buffer.concat([join(track, 'init.mp4'), ...files].map((file) => readFileSync(file))));
  const middles = `crop=iw:2:0:20,scale=${numberBits}:1:flags=neighbor`;
  const words = ['-v', 'error', '-i', whole, '-vf', middles, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'];
  const { stdout } = spawnSync(await context.ffmpegPath(), words);
  const rowBytes = numberBits * 4;
  const numbers = Array.from({ length: stdout.length / rowBytes }, (_, index) =>
    frameNumberIn(stdout.subarray(index * rowBytes, (index + 1) * rowBytes)),
  );
  assert.deepEqual(
    numbers,
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
});
