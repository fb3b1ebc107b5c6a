import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readBrowserVersion } from '../../../../harness/clients/browser-version.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('Firefox is not started: its version stands in a file beside the program, links followed', async (t) => {
  const folder = tempFolder(t);
  const file = placeProgram(path.join(folder, 'lib', 'firefox'));
  writeFileSync(
    path.join(folder, 'lib', 'application.ini'),
    '[App]\nVendor=Mozilla\nVersion=153.7.0\n[Gecko]\nMinVersion=1\n',
  );
  const link = path.join(folder, 'firefox');
  symlinkSync(file, link);
  const { run, lines } = recordingRun(() => ({}));
  assert.equal(await readBrowserVersion(link, 'firefox', setupContextIn(folder, { run })), '153.7.0');
  assert.deepEqual(lines, []);
});

test('on Windows the version is the name of a folder beside the program, the newest of several', async (t) => {
  const folder = tempFolder(t);
  ['99.0.1.2', '148.0.1.2', '148.0.0.9', 'Dictionaries'].forEach((name) =>
    mkdirSync(path.join(folder, name)),
  );
  const { run, lines } = recordingRun(() => ({}));
  const context = setupContextIn(folder, { platform: 'win32', run });
  assert.equal(await readBrowserVersion(path.join(folder, 'chrome.exe'), 'chromium', context), '148.0.1.2');
  assert.deepEqual(lines, []);
});

test('noise of a wrapper script does not hide the version', async (t) => {
  const { run } = recordingRun(() => ({
    stdout: 'Chromium 156.0.8078.79 built on Debian GNU/Linux 12\n',
    stderr: 'sh: unexpected operator\n',
  }));
  const context = setupContextIn(tempFolder(t), { run });
  assert.equal(await readBrowserVersion('/usr/bin/chromium', 'chromium', context), '156.0.8078.79');
});

test('a browser that does not answer has an empty version, which its first launch will tell', async (t) => {
  const run = (): Promise<never> => Promise.reject(new H2h3Error('deadline', 'too slow'));
  const context = setupContextIn(tempFolder(t), { run });
  assert.equal(await readBrowserVersion('/usr/bin/chromium', 'chromium', context), '');
});
