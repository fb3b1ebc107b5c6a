import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGolden, renderGoldenReport } from './golden-files.ts';

test('the golden summary gives the stored page (if the change is wanted: npm run golden:update)', async () => {
  const actual = (await renderGoldenReport()).split('\n');
  assert.deepEqual(actual, readGolden('report.html').split('\n'));
});
