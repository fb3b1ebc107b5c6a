import assert from 'node:assert/strict';
import { linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shellEnvironment } from '../../../../harness/tools/headless-shell-package.ts';
import { createSetupContext } from '../../../../harness/tools/setup-context.ts';
import { projectDir } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('the list of fonts, which browsers of other commands read, is written once and whole', async (t) => {
  const folder = tempFolder(t);
  const setup = await createSetupContext({ projectDir });
  const fontsFile = async (): Promise<string> => {
    const { FONTCONFIG_FILE: file = '' } = await shellEnvironment(folder, process.execPath, setup);
    return file;
  };
  const file = await fontsFile();
  assert.match(readFileSync(file, 'utf8'), /<\/fontconfig>\n$/);
  const before = statSync(file);
  await fontsFile();
  const after = statSync(file);
  assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs], 'it was not written again');
  // A cache that was copied by links: what another place reads under its name stays.
  const elsewhere = join(folder, 'elsewhere.conf');
  writeFileSync(file, 'of another folder');
  linkSync(file, elsewhere);
  await fontsFile();
  assert.match(readFileSync(file, 'utf8'), /<\/fontconfig>\n$/);
  assert.equal(readFileSync(elsewhere, 'utf8'), 'of another folder');
});
