import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { foundOr, ifAbsent } from '../../../../src/core/model/errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('what is absent gives way to a value, and any other failure is thrown on', async (t) => {
  const folder = tempFolder(t);
  const absent = join(folder, 'absent');
  assert.equal(
    foundOr(() => readFileSync(absent, 'utf8'), null),
    null,
  );
  assert.equal(await readFile(absent, 'utf8').catch(ifAbsent('')), '');
  assert.deepEqual(await readdir(absent).catch(ifAbsent([])), []);
  assert.throws(() => foundOr(() => readFileSync(folder, 'utf8'), null), { code: 'EISDIR' });
  assert.equal(
    foundOr(() => readFileSync(folder, 'utf8'), null, 'EISDIR'),
    null,
  );
  await assert.rejects(readFile(folder, 'utf8').catch(ifAbsent('')), { code: 'EISDIR' });
});
