import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { create } from 'tar';
import { fetchPackage, type PackPackage } from '../../../../sites/packages/fetch-package.ts';
import type { PinnedPackage } from '../../../../sites/packages/pinned-package.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function setUp(t: Parameters<typeof tempFolder>[0]) {
  const folder = tempFolder(t);
  await mkdir(join(folder, 'in', 'package'), { recursive: true });
  await writeFile(join(folder, 'in', 'package', 'index.html'), 'hello');
  const tarball = join(folder, 'made.tgz');
  await create({ file: tarball, cwd: join(folder, 'in'), gzip: true }, ['package']);
  const content = await readFile(tarball);
  const calls: string[] = [];
  const pack: PackPackage = async (spec, directory) => {
    calls.push(spec);
    await writeFile(join(directory, 'x.tgz'), content);
  };
  const hash = createHash('sha512').update(content).digest('base64');
  const pinned: PinnedPackage = {
    name: '@scope/kit',
    version: '1.2.3',
    integrity: `sha512-${hash}`,
    licence: 'MIT',
  };
  const cacheDir = join(folder, 'cache');
  const options = {
    cacheDir,
    projectDir: folder,
    pack,
    progress: () => undefined,
    signal: AbortSignal.timeout(60_000),
  };
  return { pinned, options, calls, cacheDir };
}

test('a package is fetched once, checked and unpacked', async (t) => {
  const { pinned, options, calls } = await setUp(t);
  const folder = await fetchPackage(pinned, options);
  assert.equal(await readFile(join(folder, 'index.html'), 'utf8'), 'hello');
  assert.equal(await fetchPackage(pinned, options), folder);
  assert.deepEqual(calls, ['@scope/kit@1.2.3']);
});

test('two at once give the same whole folder', async (t) => {
  const { pinned, options } = await setUp(t);
  const [first, second] = await Promise.all([fetchPackage(pinned, options), fetchPackage(pinned, options)]);
  assert.equal(first, second);
  assert.equal(await readFile(join(first, 'index.html'), 'utf8'), 'hello');
});

test('another tarball than the pinned one is refused, and nothing of it stays', async (t) => {
  const { pinned, options, cacheDir } = await setUp(t);
  const other = { ...pinned, integrity: 'sha512-AAAA' };
  await assert.rejects(fetchPackage(other, options), (error) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'bad-input');
    assert.equal(error.context.expected, 'sha512-AAAA');
    return true;
  });
  assert.deepEqual(await readdir(join(cacheDir, 'packages')), []);
});

test('without a registry the error carries the last words of npm and says what to do', async (t) => {
  const { pinned, options } = await setUp(t);
  const { cacheDir, projectDir, progress, signal } = options;
  const withNpm = { cacheDir, projectDir, progress, signal };
  const before = process.env['npm_config_registry'];
  t.after(() => {
    if (before === undefined) delete process.env['npm_config_registry'];
    else process.env['npm_config_registry'] = before;
  });
  process.env['npm_config_registry'] = 'http://127.0.0.1:9/';
  process.env['npm_config_fetch_retries'] = '0';
  t.after(() => delete process.env['npm_config_fetch_retries']);
  await assert.rejects(fetchPackage({ ...pinned, name: 'h2h3-no-such-package' }, withNpm), (error) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'process-failed');
    assert.match(String(error.context.stderrTail), /ECONNREFUSED|127\.0\.0\.1/);
    assert.match(String(error.next), /need no network/);
    return true;
  });
});
