import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { progressFraction, runFfmpeg } from '../../../../video/encoder/ffmpeg.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function scriptInPlaceOfFfmpeg(t: TestContext, script: string): string {
  const file = join(tempFolder(t), 'ffmpeg');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const { signal } = new AbortController();

test('a missing ffmpeg is an error of this machine with the way to mend it', async () => {
  await assert.rejects(
    runFfmpeg({ ffmpegPath: '/nowhere/ffmpeg', args: [], signal }),
    (error) => error instanceof H2h3Error && error.code === 'unsupported' && error.next !== undefined,
  );
});

test('a failing ffmpeg is reported with its last lines of stderr', async (t) => {
  const ffmpegPath = scriptInPlaceOfFfmpeg(t, 'echo "Unknown encoder libx264" >&2; exit 3');
  await assert.rejects(runFfmpeg({ ffmpegPath, args: [], signal }), (error) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'process-failed');
    assert.equal(error.context.got, '3');
    assert.equal(error.context.stderrTail, 'Unknown encoder libx264');
    return true;
  });
});

test('a full disk is told apart from other failures', async (t) => {
  const ffmpegPath = scriptInPlaceOfFfmpeg(
    t,
    'echo "av_interleaved_write_frame(): No space left on device" >&2; exit 1',
  );
  await assert.rejects(
    runFfmpeg({ ffmpegPath, args: [], signal }),
    (error) => error instanceof H2h3Error && error.code === 'storage',
  );
});

test('an abort ends ffmpeg at once', async (t) => {
  const ffmpegPath = scriptInPlaceOfFfmpeg(t, 'exec sleep 600');
  const abort = new AbortController();
  const running = runFfmpeg({ ffmpegPath, args: [], signal: abort.signal });
  setTimeout(() => abort.abort(), 50);
  const started = Date.now();
  await assert.rejects(running, (error) => error instanceof H2h3Error && error.code === 'interrupted');
  assert.ok(Date.now() - started < 300_000, 'it does not wait for the end');
});

test('progress is read from both spellings of the position', () => {
  assert.equal(progressFraction('out_time_ms=3000000\nprogress=continue\n', 12), 0.25);
  assert.equal(progressFraction('out_time_us=3000000\nout_time_ms=3000000\n', 6), 0.5);
  assert.equal(progressFraction('out_time_us=N/A\n', 6), undefined);
  assert.equal(progressFraction('out_time_us=99000000\n', 6), 1);
});
