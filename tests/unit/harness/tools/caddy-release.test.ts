import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as tar from 'tar';
import { caddyReleaseFor, installCaddyRelease } from '../../../../harness/tools/caddy-release.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { downloadOf } from '../../../support/wheel-file.ts';

/** An archive as the project's releases are: the program beside its licence. */
async function archiveIn(folder: string): Promise<Buffer> {
  const source = path.join(folder, 'source');
  mkdirSync(source);
  writeFileSync(path.join(source, 'caddy'), 'the program');
  writeFileSync(path.join(source, 'LICENSE'), 'the licence');
  const file = path.join(folder, 'archive.tar.gz');
  await tar.create({ file, gzip: true, cwd: source }, ['LICENSE', 'caddy']);
  return readFileSync(file);
}

test('a release whose checksum is right is unpacked and can be run', async (t) => {
  const folder = tempFolder(t);
  const archive = await archiveIn(folder);
  const sha512 = createHash('sha512').update(archive).digest('hex');
  const release = { version: '1.2.3', url: 'https://example.test/caddy.tar.gz', sha512 };
  const target = path.join(folder, 'target');
  mkdirSync(target);
  const { download } = downloadOf({ [release.url]: archive });
  await installCaddyRelease(setupContextIn(folder, { download }), release, target);
  assert.equal(readFileSync(path.join(target, 'caddy'), 'utf8'), 'the program');
  assert.equal(statSync(path.join(target, 'caddy')).mode & 0o111, 0o111);
});

test('a release whose checksum is wrong is refused', async (t) => {
  const folder = tempFolder(t);
  const release = { version: '1.2.3', url: 'https://example.test/caddy.tar.gz', sha512: '0'.repeat(128) };
  const { download } = downloadOf({ [release.url]: await archiveIn(folder) });
  const installing = installCaddyRelease(setupContextIn(folder, { download }), release, folder);
  await assert.rejects(installing, (error) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'bad-input');
    assert.equal(error.context.expected, release.sha512);
    return true;
  });
});

test('each platform has its own archive and its own checksum, others have none', () => {
  const releases = (['linux', 'darwin'] as const).flatMap((platform) =>
    ['x64', 'arm64'].map((arch) => caddyReleaseFor(platform, arch)),
  );
  assert.ok(releases.every((release) => /^[0-9a-f]{128}$/.test(release?.sha512 ?? '')));
  assert.equal(new Set(releases.map((release) => release?.sha512)).size, 4);
  assert.match(releases[3]?.url ?? '', /_mac_arm64\.tar\.gz$/);
  assert.match(releases[0]?.url ?? '', /_linux_amd64\.tar\.gz$/);
  assert.equal(caddyReleaseFor('win32', 'x64'), undefined);
});
