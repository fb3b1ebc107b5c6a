import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { findFfmpeg } from '../../../../harness/tools/ffmpeg.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('the ffmpeg on PATH is preferred to the one from npm', async (t) => {
  const folder = tempFolder(t);
  const file = placeProgram(path.join(folder, 'bin', 'ffmpeg'));
  const { run } = recordingRun(() => ({ stdout: 'ffmpeg version 7.1 Copyright\n' }));
  assert.deepEqual(await findFfmpeg(setupContextIn(folder, { run })), {
    path: file,
    version: '7.1',
    source: 'path',
  });
});

test('one on PATH that does not start is passed over', async (t) => {
  const folder = tempFolder(t);
  const broken = placeProgram(path.join(folder, 'bin', 'ffmpeg'));
  const { run } = recordingRun((line) => (line.startsWith(broken) ? {} : { stdout: 'ffmpeg version N-1\n' }));
  assert.equal((await findFfmpeg(setupContextIn(folder, { run }))).source, 'npm');
});

test('when none starts the error says what was tried', async (t) => {
  const { run } = recordingRun(() => ({ exitCode: 1 }));
  await assert.rejects(findFfmpeg(setupContextIn(tempFolder(t), { run })), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
    assert.match(error.context.got ?? '', /none on PATH/);
    return true;
  });
});
