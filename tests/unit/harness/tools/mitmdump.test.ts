import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ensureMitmdump } from '../../../../harness/tools/mitmdump.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('the recording proxy is installed from files with known digests only', async (t) => {
  const folder = tempFolder(t);
  placeProgram(path.join(folder, 'bin', 'python3'));
  const { run, lines } = recordingRun(() => ({}));
  await ensureMitmdump(setupContextIn(folder, { run }));
  const installs = lines.filter((line) => line.includes('pip install'));
  assert.equal(installs.length, 2);
  for (const install of installs) assert.match(install, /--require-hashes --no-deps --only-binary=:all:/);
  // What builds a package is none that pip chooses and fetches by itself.
  assert.match(installs[1] ?? '', /--no-binary=pyperclip --no-build-isolation/);
  const requirements = installs
    .map((install) => readFileSync(install.split(' ').at(-1) ?? '', 'utf8'))
    .join('');
  assert.match(requirements, /^setuptools==[\s\S]*^mitmproxy==11\.0\.2 /m);
  const packages = requirements.split(/^(?=[a-z])/m).filter((part) => /^[a-z]/.test(part));
  assert.ok(packages.length > 31);
  for (const part of packages)
    assert.match(part, /^\S+==\S+[\s\S]*--hash=sha256:[0-9a-f]{64}/, part.split('\n')[0]);
});
