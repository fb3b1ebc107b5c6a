import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeWhole } from '../../../sites/make-whole.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('what is made is there whole, as a folder or a file, and nothing else is left', async (t) => {
  const folder = join(tempFolder(t), 'below');
  await makeWhole(join(folder, 'page'), async (scratch) => {
    await writeFile(join(scratch, 'index.html'), 'page');
    assert.equal(existsSync(join(folder, 'page')), false);
    return scratch;
  });
  await makeWhole(join(folder, 'body.bin'), async (scratch) => {
    await writeFile(join(scratch, 'body'), 'bytes');
    return join(scratch, 'body');
  });
  assert.equal(readFileSync(join(folder, 'page/index.html'), 'utf8'), 'page');
  assert.equal(readFileSync(join(folder, 'body.bin'), 'utf8'), 'bytes');
  assert.deepEqual(readdirSync(folder).toSorted(), ['body.bin', 'page']);
});

test('where another was faster its folder stays, and a fault of the making is told and leaves nothing', async (t) => {
  const folder = tempFolder(t);
  await makeWhole(join(folder, 'page'), async (scratch) => {
    await mkdir(join(folder, 'page'));
    await writeFile(join(folder, 'page/first'), '');
    return scratch;
  });
  assert.deepEqual(readdirSync(join(folder, 'page')), ['first']);
  const taken = Object.assign(new Error('taken'), { code: 'EEXIST' });
  await assert.rejects(
    makeWhole(join(folder, 'other'), () => Promise.reject(taken)),
    taken,
  );
  assert.deepEqual(readdirSync(folder), ['page']);
});
