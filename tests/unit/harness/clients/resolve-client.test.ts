import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { npmChromium } from '../../../../harness/clients/browsers/providers/npm-chromium.ts';
import { findEmbeddedPackage } from '../../../../harness/clients/browsers/embedded-chromium.ts';
import { knownClients } from '../../../../harness/clients/client-catalogue.ts';
import { listClients } from '../../../../harness/clients/list-clients.ts';
import { requireClientName, resolveClient } from '../../../../harness/clients/resolve-client.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn, succeeded } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const chromeSays = { stdout: 'Google Chrome 148.0.1.2 \n' };

/** An architecture without an embedded build, so that only what the test places is found. */
const bare = { arch: 'mips', platform: 'freebsd' } as const;

test('a browser on PATH is found by its name, with its version and path', async (t) => {
  const folder = tempFolder(t);
  const file = placeProgram(path.join(folder, 'bin', 'google-chrome'));
  const { run } = recordingRun(() => chromeSays);
  assert.deepEqual(await resolveClient('chrome', setupContextIn(folder, { ...bare, run })), {
    id: 'chrome',
    family: 'chromium',
    name: 'Google Chrome',
    version: '148.0.1.2',
    build: 'full',
    source: 'system',
    executablePath: file,
    headed: false,
    environment: {},
  });
});

test('the usual places of macOS and Windows are searched', async (t) => {
  const folder = tempFolder(t);
  const { run } = recordingRun(() => ({ stdout: 'Firefox 150.0\n' }));
  const onMac = path.join(folder, 'home/Applications/Firefox.app/Contents/MacOS/firefox');
  placeProgram(onMac);
  const mac = setupContextIn(folder, { platform: 'darwin', run });
  assert.equal((await resolveClient('firefox', mac)).executablePath, onMac);
  const base = path.join(folder, 'programs');
  const onWindows = `${base}\\Microsoft\\Edge\\Application\\msedge.exe`;
  placeProgram(onWindows);
  const windows = setupContextIn(folder, {
    platform: 'win32',
    environment: { PATH: '', LOCALAPPDATA: base },
    run,
  });
  assert.equal((await resolveClient('edge', windows)).executablePath, onWindows);
});

test('best is an installed browser of the Chromium family, never Firefox nor a headless shell', async (t) => {
  const folder = tempFolder(t);
  const { run } = recordingRun(() => chromeSays);
  const context = setupContextIn(folder, { ...bare, run });
  placeProgram(path.join(folder, 'bin', 'chromium-headless-shell'));
  placeProgram(path.join(folder, 'bin', 'firefox'));
  await assert.rejects(resolveClient('best', context), /it is a package for Linux on x64/);
  placeProgram(path.join(folder, 'bin', 'opera'));
  assert.equal((await resolveClient('best', context)).id, 'opera');
  placeProgram(path.join(folder, 'bin', 'chromium'));
  assert.equal((await resolveClient('best', context)).id, 'chromium');
});

test('a path is a client, whose family comes from its name or from what it says', async (t) => {
  const folder = tempFolder(t);
  const { run, lines } = recordingRun((line) =>
    line.includes('mystery') ? { stdout: 'Mozilla Firefox 151.0\n' } : {},
  );
  const context = setupContextIn(folder, { ...bare, run });
  const mystery = await resolveClient(placeProgram(path.join(folder, 'mystery')), context);
  assert.deepEqual([mystery.family, mystery.version, mystery.source], ['firefox', '151.0', 'path']);
  const shellFile = placeProgram(path.join(folder, 'chrome-headless-shell'));
  const shell = await resolveClient(shellFile, context);
  assert.deepEqual([shell.family, shell.build, shell.version], ['chromium', 'headless-shell', '']);
  assert.ok(
    lines.every((line) => !line.startsWith(shellFile)),
    'the headless shell hangs when asked for its version',
  );
  await assert.rejects(
    resolveClient(placeProgram(path.join(folder, 'ls')), context),
    /no client that is known/,
  );
});

test('a name that is none is a usage error that lists the names; a known one that is absent is unsupported', async (t) => {
  const folder = tempFolder(t);
  const context = setupContextIn(folder, bare);
  placeProgram(path.join(folder, 'bin', 'firefox'));
  const expectations = [
    [
      'netscape',
      'usage',
      /best, chrome, chromium, edge, opera, chromium-headless-shell, firefox, .*curl, .*embedded/,
    ],
    ['/nowhere/chrome', 'usage', /client that this user may start/],
    ['edge', 'unsupported', /microsoft-edge/],
  ] as const;
  for (const [spec, code, expected] of expectations)
    await assert.rejects(resolveClient(spec, context), (error) => {
      assert.ok(error instanceof H2h3Error);
      assert.equal(error.code, code);
      assert.match(error.context.expected ?? '', expected);
      assert.match(error.next ?? '', /this machine has firefox/i);
      return true;
    });
});

test('the list names every client once, found or not, and unpacks nothing', async (t) => {
  const folder = tempFolder(t);
  const context = setupContextIn(folder);
  const listed = await listClients(context);
  assert.deepEqual(
    listed.map(({ id }) => id),
    [...knownClients.map(({ id }) => id), 'embedded', 'webkit', 'android'],
    'in order of preference',
  );
  const { found: embedded, state } = listed.find(({ id }) => id === 'embedded') ?? {};
  assert.ok(state === 'here' || state === 'not fetched yet', state);
  const webkit = listed.find(({ id }) => id === 'webkit');
  assert.equal(webkit?.state, webkit?.found === null ? 'missing' : 'here');
  assert.match(embedded?.version ?? '', /^\d+\./);
  assert.equal(await context.cache.isInstalled(`chromium-${embedded?.version}`), false);
});

test('the version that is the embedded one is kept once', async (t) => {
  const base = setupContextIn(tempFolder(t), {
    run: (command) => {
      assert.equal(command, 'ldd', 'the registry is not asked');
      return Promise.resolve(succeeded);
    },
  });
  const embedded = await findEmbeddedPackage(base);
  assert.ok(embedded !== undefined, 'Linux on x64');
  const unpacked: string[] = [];
  const cache = {
    ...base.cache,
    isInstalled: () => Promise.resolve(false),
    directoryOf: (name: string) => base.cache.directoryOf(name),
    install: (name: string) => {
      unpacked.push(name);
      mkdirSync(base.cache.directoryOf(name), { recursive: true });
      return Promise.resolve(base.cache.directoryOf(name));
    },
  };
  const [major = ''] = embedded.version.split('.');
  const found = await npmChromium.find?.({ browser: 'chromium', wanted: major }, { ...base, cache });
  assert.deepEqual(
    [found?.id, found?.version, found?.source],
    [`chromium@${major}`, embedded.version, 'embedded'],
  );
  assert.deepEqual(unpacked, [`chromium-${embedded.version}`]);
  const other = { browser: 'chromium', wanted: String(Number(major) - 1) } as const;
  assert.equal(await npmChromium.find?.(other, { ...base, cache }), undefined);
});

test('a client that people ask for and nothing drives says what is lacking, and so does an arm that names it', async (t) => {
  const context = setupContextIn(tempFolder(t), { ...bare, run: recordingRun(() => ({})).run });
  for (const inherited of ['constructor', '__proto__', 'toString'])
    await assert.rejects(requireClientName(inherited, context), {
      code: 'usage',
      message: /^unknown client/,
    });
  await assert.rejects(resolveClient('safari', context), {
    code: 'unsupported',
    message: /is not driven: /,
  });
  await assert.rejects(requireClientName('safari', context, 'arm "safari:h3": '), {
    code: 'unsupported',
    message: /^arm ".*:h3": .* is not driven: /,
  });
  await requireClientName('webkit', context);
  await assert.rejects(resolveClient('webkit', context), {
    code: 'unsupported',
    message: /WebKit needs WebKitWebDriver, which is not on this machine/,
  });
});
