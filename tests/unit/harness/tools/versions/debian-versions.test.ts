import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionedPrograms } from '../../../../../harness/tools/versions/catalogue.ts';
import { parseMadison, upstreamVersion } from '../../../../../harness/tools/versions/debian-versions.ts';
import { availableVersions, ensureVersion } from '../../../../../harness/tools/versions/ensure-version.ts';
import {
  findInstalledVersion,
  installedVersions,
} from '../../../../../harness/tools/versions/installed-versions.ts';
import { removeInstalled } from '../../../../../harness/tools/installed-folders.ts';
import { H2h3Error } from '../../../../../src/core/model/errors.ts';
import { machineWithMirror, toolsIn, type MirroredPackage } from '../../../../support/debian-mirror.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const { nginx, curl } = versionedPrograms;
const packages: readonly MirroredPackage[] = [
  { name: 'nginx', release: '1.30.6-2', suite: 'sid' },
  { name: 'nginx', release: '1.30.6-2', suite: 'forky' },
  { name: 'nginx', release: '1.26.3-3+deb13u10', suite: 'trixie' },
  { name: 'curl', release: '8.21.0-2~bpo13+1', suite: 'trixie-backports' },
  { name: 'curl', release: '8.14.1-2+deb13u7', suite: 'trixie' },
];

test('the beginning of a version names the newest that begins so, fetched with its digest and once', async (t) => {
  const { context, lines } = machineWithMirror(tempFolder(t), packages, nginx.file);
  const installed = await ensureVersion(nginx, '1.30', context);
  assert.equal(installed.release, '1.30.6-2');
  assert.equal(installed.origin, 'Debian forky', 'the older of the suites that have it');
  assert.match(installed.integrity, /^sha256:[0-9a-f]{64}$/);
  const install = lines.find((line) => line.includes('--download-only')) ?? '';
  assert.match(install, /--target-release forky nginx=1\.30\.6-2 libnginx-mod-http-brotli-static$/);
  const asked = lines.length;
  assert.equal((await ensureVersion(nginx, '1.30.6', context)).directory, installed.directory);
  assert.equal(lines.length, asked, 'what is here is not asked for');
  const older = await ensureVersion(nginx, '1.26', context);
  assert.equal(older.version, '1.26.3');
  assert.equal(lines.filter((line) => line.includes('madison')).length, 1, 'one list serves all');
  assert.deepEqual(
    (await installedVersions(context)).map(({ version }) => version),
    ['1.30.6', '1.26.3'],
  );
  assert.equal((await findInstalledVersion({ id: 'nginx', wanted: '1.3' }, context))?.version, undefined);
});

test('a suite of backports is taken together with the one it is made for', async (t) => {
  const { context, lines } = machineWithMirror(tempFolder(t), packages, curl.file);
  await ensureVersion(curl, 'latest', context);
  assert.ok(lines.some((line) => line.endsWith('--target-release trixie-backports curl=8.21.0-2~bpo13+1')));
});

test('a version that nobody has is refused with those that there are', async (t) => {
  const { context } = machineWithMirror(tempFolder(t), packages, nginx.file);
  await assert.rejects(ensureVersion(nginx, '1.27', context), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'usage');
    assert.equal(error.context.expected, 'nginx@1.30.6, nginx@1.26.3');
    return true;
  });
});

test('an archive that is not what the list says is refused, and nothing of it stays', async (t) => {
  const forged = [{ name: 'nginx', release: '1.30.6-2', suite: 'sid', stated: '0'.repeat(64) }];
  const { context } = machineWithMirror(tempFolder(t), forged, nginx.file);
  await assert.rejects(ensureVersion(nginx, '1.30', context), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'bad-input');
    assert.equal(error.context.expected, `sha256:${'0'.repeat(64)}`);
    return true;
  });
  assert.deepEqual(toolsIn(context), []);
});

test('a version that was removed and comes back with another digest is refused with the others', async (t) => {
  const folder = tempFolder(t);
  const { context } = machineWithMirror(folder, packages, nginx.file);
  await removeInstalled(await ensureVersion(nginx, '1.30', context));
  const other = packages.map((one) => ({ ...one, archive: 'another archive' }));
  const later = machineWithMirror(folder, other, nginx.file).context;
  // The list of before is still fresh: its digest is held against what comes.
  await assert.rejects(ensureVersion(nginx, '1.30', later), /is not what Debian’s list says/);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 24 * 3600_000 });
  await assert.rejects(ensureVersion(nginx, '1.30', later), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'bad-input');
    assert.match(error.message, /nginx 1\.30\.6-2 of Debian forky is not what it was/);
    assert.match(error.next ?? '', /1\.26\.3/);
    return true;
  });
});

test('without a network the error says so, and what was fetched before still works', async (t) => {
  const folder = tempFolder(t);
  const { context } = machineWithMirror(folder, packages, nginx.file);
  const here = await ensureVersion(nginx, '1.30', context);
  const offline = {
    ...context,
    run: () =>
      Promise.resolve({ exitCode: 100, stdout: 'Debian http://mirror.test/debian\n', stderr: 'E: no route' }),
  };
  assert.equal((await ensureVersion(nginx, '1.30', offline)).directory, here.directory);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 24 * 3600_000 });
  await assert.rejects(ensureVersion(nginx, '1.26', offline), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
    assert.match(error.context.got ?? '', /mirror cannot be asked: apt-get failed/);
    return true;
  });
  const bare = { ...context, environment: { PATH: '' } };
  const { versions, faults } = await availableVersions(nginx, bare);
  assert.deepEqual(versions, []);
  assert.match(faults[0] ?? '', /there is no apt-get here/);
});

test('releases are read with their epoch, and lines of sources are no packages', () => {
  assert.equal(upstreamVersion('1:3.2.26-1~bpo13+1'), '3.2.26');
  const text =
    ' nginx | 1.2-1 | http://m/debian sid/main Sources\n nginx | 1.2-1 | http://m/debian sid/main amd64 Packages\n';
  assert.deepEqual(parseMadison(text), [{ name: 'nginx', release: '1.2-1', suite: 'sid' }]);
});
