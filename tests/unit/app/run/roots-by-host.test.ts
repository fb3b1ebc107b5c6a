import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootsByHost } from '../../../../src/app/run/roots-by-host.ts';
import { downloadWorkloadNamed } from '../../../../sites/downloads/catalogue.ts';
import { messageWorkloads } from '../../../../sites/messages/catalogue.ts';
import { uploadWorkloadNamed } from '../../../../sites/uploads/catalogue.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { SiteRoot } from '../../../../src/core/model/workload.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const files = (host: string, directory = '/media'): SiteRoot => ({ host, directory });
const program = (host: string, ...command: string[]): SiteRoot => ({
  host,
  directory: '/media',
  origin: { command },
});

test('workloads that share hosts share their answers', () => {
  const roots = rootsByHost([
    { id: 'video-a', roots: [files('player.test', '/player'), files('media.test')] },
    { id: 'video-b', roots: [files('player.test', '/player'), program('live.test', 'node', 'live.ts')] },
    { id: 'video-c', roots: [program('live.test', 'node', 'live.ts')] },
  ]);
  assert.deepEqual(
    roots.map(({ host }) => host),
    ['player.test', 'media.test', 'live.test'],
  );
});

test('one run may have downloads, uploads and messages', async (t) => {
  const cacheDir = tempFolder(t);
  const workloads = [
    downloadWorkloadNamed('download-1mb'),
    uploadWorkloadNamed('upload-100kb'),
    messageWorkloads()[0],
  ];
  const prepared = await Promise.all(
    workloads.map((workload) => {
      assert.ok(workload);
      return workload.prepare({
        cacheDir,
        projectDir: cacheDir,
        port: 8443,
        ffmpegPath: () => Promise.reject(new Error('none of them needs ffmpeg')),
        progress: () => undefined,
        signal: AbortSignal.timeout(60_000),
      });
    }),
  );
  const hosts = rootsByHost(prepared).map(({ host }) => host);
  for (const { roots } of prepared) for (const { host } of roots) assert.ok(hosts.includes(host), host);
});

test('of a folder that workloads share all is asked for that one of them asks for', () => {
  const needing = (...needs: string[]): SiteRoot => ({ ...files('media.test'), needs });
  const needed = (...roots: SiteRoot[]): readonly string[] | undefined =>
    rootsByHost(roots.map((root, index) => ({ id: `video-${index}`, roots: [root] })))[0]?.needs;
  assert.deepEqual(needed(needing('film-a', 'film-b'), needing('film-b', 'film-c')), [
    'film-a',
    'film-b',
    'film-c',
  ]);
  assert.equal(needed(needing('film-a'), files('media.test')), undefined);
});

for (const [what, one, other] of [
  ['folders', files('site.test', '/one'), files('site.test', '/other')],
  ['programs', program('site.test', 'node', 'one.ts'), program('site.test', 'node', 'other.ts')],
  ['a folder and a program', files('site.test'), program('site.test', 'node', 'one.ts')],
] as const) {
  test(`${what} behind one host name are refused, with the host and both workloads named`, () => {
    assert.throws(
      () =>
        rootsByHost([
          { id: 'page-one', roots: [one] },
          { id: 'page-other', roots: [other] },
        ]),
      (error: unknown) => {
        assert.ok(error instanceof H2h3Error);
        assert.equal(error.code, 'usage');
        assert.match(error.message, /behind site\.test/);
        assert.match(error.context.got ?? '', /page-one .* and page-other /);
        return true;
      },
    );
  });
}
