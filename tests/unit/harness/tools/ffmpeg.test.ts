import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { ffmpegWheel } from '../../../../harness/tools/ffmpeg-wheel.ts';
import { ensureFfmpeg, findFfmpeg } from '../../../../harness/tools/ffmpeg.ts';
import { wheelTool } from '../../../../harness/tools/wheel.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('the ffmpeg on PATH is preferred to any other', async (t) => {
  const folder = tempFolder(t);
  const file = placeProgram(path.join(folder, 'bin', 'ffmpeg'));
  const { run } = recordingRun(() => ({ stdout: 'ffmpeg version 7.1 Copyright\n' }));
  assert.deepEqual(await findFfmpeg(setupContextIn(folder, { run })), {
    path: file,
    version: '7.1',
    source: 'path',
  });
});

test('one on PATH that does not start is passed over for the one that was fetched', async (t) => {
  const folder = tempFolder(t);
  const broken = placeProgram(path.join(folder, 'bin', 'ffmpeg'));
  const { run } = recordingRun((line) => (line.startsWith(broken) ? {} : { stdout: 'ffmpeg version N-1\n' }));
  const context = setupContextIn(folder, { run });
  const fetched = placeProgram(path.join(context.cache.directoryOf(wheelTool(ffmpegWheel)), 'ffmpeg'));
  assert.deepEqual(await ensureFfmpeg(context), { path: fetched, version: 'N-1', source: 'wheel' });
});

test('when none starts and none can be fetched the error says what was tried', async (t) => {
  const { run } = recordingRun(() => ({ exitCode: 1 }));
  const download = (): Promise<never> => Promise.reject(new Error('no network here'));
  const context = setupContextIn(tempFolder(t), { run, download });
  await assert.rejects(findFfmpeg(context), { code: 'unsupported' });
  await assert.rejects(ensureFfmpeg(context), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
    assert.match(error.context.got ?? '', /none on PATH.*no network here/);
    return true;
  });
});

test('what is fetched under the pinned version with other bytes is not used', async (t) => {
  const folder = tempFolder(t);
  const [build] = Object.values(ffmpegWheel.builds);
  const { run } = recordingRun(() => ({ exitCode: 1 }));
  const zip = zipSync({ [build?.programPath ?? '']: new TextEncoder().encode('another program') });
  const name = `imageio_ffmpeg-${ffmpegWheel.version}-py3-none-${build?.platformTag}.whl`;
  const list = new TextEncoder().encode(
    JSON.stringify({ files: [{ filename: name, url: 'https://index.test/w' }] }),
  );
  const download = (url: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; url: string }> =>
    Promise.resolve({ bytes: url.endsWith('/w') ? zip : list, url });
  const context = setupContextIn(folder, { run, download, platform: 'linux', arch: 'x64' });
  await assert.rejects(ensureFfmpeg(context), { code: 'bad-input', message: /is not the pinned one/ });
  assert.equal(await context.cache.isInstalled(wheelTool(ffmpegWheel)), false);
});
