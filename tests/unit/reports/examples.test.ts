import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { madeUpPages } from '../../support/made-up-pages.ts';

const examplesDir = path.resolve(import.meta.dirname, '../../../reports/examples');

test('every sample report can be made again, from a packed run, made-up figures or the runs of the studies, and is told of', async () => {
  const pages = readdirSync(examplesDir).filter((name) => name.endsWith('.html'));
  const packed = readdirSync(path.join(examplesDir, 'runs')).map((name) => name.replace(/\.tar\.gz$/, ''));
  const madeUp = Object.keys(await madeUpPages());
  assert.deepEqual(
    pages.toSorted(),
    [...packed, ...madeUp, 'studies'].map((name) => `${name}.html`).toSorted(),
    'npm run examples renews them',
  );
  const told = readFileSync(path.join(examplesDir, 'README.md'), 'utf8');
  for (const name of pages)
    assert.ok(told.includes(`\`${name}\``), `${name} is not in the README.md beside it`);
});
