import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeAtomically, videoFolders } from '../../../../video/encoder/content-cache.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

for (const kind of ['file', 'folder'] as const)
  test(`of two who make one ${kind} at once, the first one's stays`, async (t) => {
    const folders = videoFolders(tempFolder(t));
    const target = join(folders.encodes, 'track');
    const first = Promise.withResolvers<undefined>();
    const make = (content: string, after?: Promise<undefined>): Promise<void> =>
      makeAtomically(folders, target, async (partial) => {
        if (kind === 'folder') mkdirSync(partial);
        writeFileSync(kind === 'folder' ? join(partial, 'part') : partial, content);
        await after;
      });
    const late = make('late', first.promise);
    await make('early');
    first.resolve(undefined);
    await late;
    assert.equal(readFileSync(kind === 'folder' ? join(target, 'part') : target, 'utf8'), 'early');
    assert.deepEqual(readdirSync(folders.work), []);
  });

test('what was not made to its end is not there', async (t) => {
  const folders = videoFolders(tempFolder(t));
  const target = join(folders.encodes, 'track');
  const failing = makeAtomically(folders, target, (partial) => {
    writeFileSync(partial, 'half');
    return Promise.reject(new Error('no more'));
  });
  await assert.rejects(failing, /no more/);
  assert.equal(existsSync(target), false);
  assert.deepEqual(readdirSync(folders.work), []);
});
