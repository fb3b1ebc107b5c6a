import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCliHere } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a night measures for the audience that it is given', async (t) => {
  const folder = tempFolder(t);
  const users = join(folder, 'gone.csv');
  const builds = ['--baseline-command', 'true', '--candidate-command', 'true'];
  const { code, stderr } = await runCliHere([
    'nightly',
    ...builds,
    '--audience',
    users,
    '--results',
    join(folder, 'results'),
  ]);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /gone\.csv cannot be read as an audience: it does not exist/);
});
