import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { madeUpPages } from '../../support/made-up-pages.ts';

const folder = path.resolve(import.meta.dirname, '../../../reports/examples');

test('the list of sample reports names each that is made, from a packed run or made-up figures, and no other', async () => {
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tar.gz'));
  const made = [...packed.map((name) => name.replace(/\.tar\.gz$/, '')), ...Object.keys(await madeUpPages())];
  const listed = readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/^\| `([\w-]+)\.html` /gm);
  assert.deepEqual([...listed].map(([, name]) => name).toSorted(), made.toSorted());
});
