import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockName } from '../../../../src/core/model/block-name.ts';

test('no block is numbered beyond those that were planned: recorded ones have numbers of their own', () => {
  const names = [0, 7, 8, 9].map((index) => blockName(index, 8));
  assert.deepEqual(names, ['block 1', 'block 8', 'recorded block 1', 'recorded block 2']);
});
