import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInterims } from '../../../src/cli/parse-interims.ts';

test('interims are ascending numbers of blocks from four on', () => {
  assert.deepEqual(parseInterims('12,16,20'), [12, 16, 20]);
  for (const text of ['', '3', '12,12', '16,12', '12,x', '12.5'])
    assert.throws(() => parseInterims(text), /ascending/);
});
