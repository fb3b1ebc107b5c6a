import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeArchive } from '../../../../sites/archive/write-archive.ts';
import { appWorkloads } from '../../../../sites/app/app-workload.ts';
import type { AppOptions } from '../../../../src/core/model/app-under-test.ts';
import type { PreparedWorkload } from '../../../../src/core/model/workload.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { startTinyApp } from '../../../support/tiny-app.ts';

async function prepared(options: AppOptions): Promise<PreparedWorkload> {
  const [workload] = appWorkloads(options, { block: ['/ads/'] });
  assert.ok(workload);
  return workload.prepare({
    cacheDir: '',
    projectDir: '',
    port: 8443,
    signal: new AbortController().signal,
    progress: () => undefined,
    ffmpegPath: () => Promise.reject(new Error('an app needs no ffmpeg')),
  });
}

test('an app is a page whose hosts are answered by one program, and proven from the log', async (t) => {
  const { origin } = await startTinyApp(t);
  const page = await prepared({ addresses: [`${origin}/shop?a=1`, 'api=http://localhost:1'] });
  assert.deepEqual(page.entry, { host: 'app.h2h3.test', path: '/shop?a=1' });
  assert.deepEqual(page.loggedHosts, ['app.h2h3.test', 'api.app.h2h3.test']);
  assert.deepEqual(
    page.roots.map(({ host, origin: program }) => [host, program?.kind === 'app']),
    page.loggedHosts.map((host) => [host, true]),
  );
  const commands = new Set(page.roots.map(({ origin: program }) => JSON.stringify(program?.command)));
  assert.equal(commands.size, 1, 'roots with the same command share a process');
  assert.equal(page.app?.thirdParties, 'blocked');
  assert.deepEqual(page.app.block, ['/ads/']);
  assert.equal(page.replay, undefined);
});

test('a recording answers for other hosts, and for none of the app’s', async (t) => {
  const { origin } = await startTinyApp(t);
  const directory = join(tempFolder(t), 'third');
  const exchanges = ['third.example', 'app.h2h3.test'].map((host) => ({
    entry: {
      method: 'GET',
      host,
      path: '/pixel.gif',
      query: '',
      range: '',
      status: 200,
      headers: [['Content-Type', 'image/gif']] as [string, string][],
      startMs: 0,
      waitMs: 1,
    },
    requestBody: null,
    body: Buffer.from('GIF89a'),
  }));
  const urls = ['https://third.example/pixel.gif'];
  const recorded = {
    urls,
    recordedAt: '2026-01-01T00:00:00Z',
    recorder: 'test',
    complete: true,
    removed: {},
  };
  await writeArchive(directory, recorded, exchanges);
  const page = await prepared({ addresses: [origin], thirdParties: directory });
  assert.deepEqual(
    page.roots.map(({ host, origin: program }) => [host, program?.kind === 'app']),
    [
      ['app.h2h3.test', true],
      ['third.example', false],
    ],
  );
  assert.equal(page.app?.thirdParties, 'recorded');
  assert.ok(page.replay?.ports.includes(443));
  assert.deepEqual(page.loggedHosts, ['app.h2h3.test']);
  assert.throws(() => appWorkloads({ addresses: [origin], thirdParties: '/nowhere' }), { code: 'bad-input' });
});
