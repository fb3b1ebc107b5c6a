import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { benchRow } from '../../../../harness/bench/bench-row.ts';
import { writeBenchSite } from '../../../../harness/bench/bench-site.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const parts = { group: 'trial overhead', subject: 'a browser', quantity: 'overhead', unit: 'ms' } as const;

test('a row is the median with the range, held against its limit', () => {
  const row = benchRow({ ...parts, values: [30, 10, 20, 100], atMost: 24 });
  assert.equal(row.value, 25);
  assert.deepEqual(row.range, [10, 100]);
  assert.equal(row.ok, false);
  assert.equal(benchRow({ ...parts, values: [3, 1, 2], atMost: 24 }).ok, true);
  assert.equal(benchRow({ ...parts, values: [3] }).ok, null);
});

test('what could not be measured is a row without a value, and says why', () => {
  const row = benchRow({ ...parts, values: [], atMost: 5, note: 'it did not start' });
  assert.deepEqual([row.value, row.range, row.ok, row.note], [null, null, null, 'it did not start']);
});

test('the page of the bench names all of its objects with the port of the server', async (t) => {
  const folder = tempFolder(t);
  const site = await writeBenchSite(folder, 4433, 1_000_000);
  const [page, assets] = site.roots;
  const html = readFileSync(path.join(page?.directory ?? '', 'index.html'), 'utf8');
  const named = [...html.matchAll(/https:\/\/assets\.bench\.test:4433\/([\w.-]+)/g)].map(([, name]) => name);
  assert.equal(named.length, 41);
  for (const name of named) assert.ok(statSync(path.join(assets?.directory ?? '', name ?? '')).size > 0);
  assert.equal(statSync(path.join(assets?.directory ?? '', 'body.bin')).size, 1_000_000);
});
