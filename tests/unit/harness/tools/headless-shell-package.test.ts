import assert from 'node:assert/strict';
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shellEnvironment } from '../../../../harness/tools/headless-shell-package.ts';
import { createSetupContext } from '../../../../harness/tools/setup-context.ts';
import { projectDir } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('the list of fonts, which browsers of other commands read, is written once and whole', async (t) => {
  const parent = tempFolder(t);
  const folder = join(parent, 'shell');
  mkdirSync(folder);
  const setup = await createSetupContext({ projectDir });
  const fontsFile = async (of = folder): Promise<string> => {
    const { FONTCONFIG_FILE: file = '' } = await shellEnvironment(of, process.execPath, setup);
    return file;
  };
  const file = await fontsFile();
  assert.match(readFileSync(file, 'utf8'), /<\/fontconfig>\n$/);
  const before = statSync(file);
  await fontsFile();
  // A container may have the folder under another path, which leads nowhere here.
  const link = join(parent, 'of-container');
  symlinkSync(folder, link);
  assert.match(readFileSync(await fontsFile(link), 'utf8'), /of-container\/fonts<\/dir>/);
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
