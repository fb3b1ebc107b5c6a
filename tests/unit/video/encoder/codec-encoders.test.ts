import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { encoderFor } from '../../../../video/encoder/codec-encoders.ts';
import { prepareAsset } from '../../../../video/encoder/prepare-asset.ts';
import { ladderNamed } from '../../../../video/ladders/registry.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { videoContext } from '../../../support/video-context.ts';

const { signal } = new AbortController();

function ffmpegThatLists(t: TestContext, encoders: string): string {
  const file = join(tempFolder(t), 'ffmpeg');
  writeFileSync(file, `#!/bin/sh\ncat <<'END'\n${encoders}\nEND\n`);
  chmodSync(file, 0o755);
  return file;
}

test('the preferred encoder that ffmpeg lists is taken', async (t) => {
  const both = ffmpegThatLists(t, ' V....D libaom-av1  libaom AV1\n V..... libsvtav1  SVT-AV1');
  assert.equal(await encoderFor('av1', both, signal), 'libsvtav1');
  const one = ffmpegThatLists(t, ' V....D libaom-av1  libaom AV1\n A..... wmav1  Windows Media Audio 1');
  assert.equal(await encoderFor('av1', one, signal), 'libaom-av1');
});

test('an experimental encoder does not count, and the error names what is missing', async (t) => {
  const old = ffmpegThatLists(t, ' V..X.. libaom-av1  libaom AV1\n V..... libx264  H.264');
  await assert.rejects(
    encoderFor('av1', old, signal),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'unsupported' &&
      /libsvtav1/.test(error.context.expected ?? ''),
  );
});

test('VP9 is cut and padded like H.264, with a codec string of its own', async (t) => {
  const ladder = { ...ladderNamed('ci'), codec: 'vp9' as const };
  const { asset } = await prepareAsset(
    {
      ladder,
      chunkSeconds: 2,
      mediaSeconds: 4,
      filmSeconds: 4,
      playSeconds: [4],
      source: { kind: 'generated' },
    },
    videoContext(tempFolder(t)),
  );
  assert.match(asset.codecs, /^vp09\.00\.\d\d\.08$/);
  assert.deepEqual(asset.tracks[0]?.segmentBytes, [250_000, 250_000]);
});
