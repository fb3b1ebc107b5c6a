import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { localFolder, removeLeftOver } from '../../../../src/app/workers/local-folders.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('folders of killed workers of a host are removed, those of others and of one that works are not', (t) => {
  const parent = tempFolder(t);
  const own = basename(localFolder('0123456789abcdef', 'lab/1', parent));
  const { pid: dead } = spawnSync('true');
  const names = [
    own,
    `89abcdef-lab%2F1-${dead}-1700000000000`,
    `89abcdef-lab%2F2-${dead}-1700000000000`,
    'notes',
  ];
  for (const name of names) mkdirSync(join(parent, name));
  removeLeftOver('lab/1', parent);
  assert.deepEqual(readdirSync(parent).toSorted(), names.filter((_, index) => index !== 1).toSorted());
  removeLeftOver('lab/1', join(parent, 'absent'));
});
