import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOfSize, sizeTitle } from '../../../../src/core/model/units.ts';

test('a size is decimal, in names of workloads as for people', () => {
  const sizes = ['0kb', '100b', '10kb', '2500kb', '10mb', '1gb'];
  assert.deepEqual(sizes.map(bytesOfSize), [0, 100, 10_000, 2_500_000, 10_000_000, 1_000_000_000]);
  assert.deepEqual(['', '10', '10tb', '1.5mb'].map(bytesOfSize), [0, 0, 0, 0]);
  assert.deepEqual([0, 10_000, 2_500_000, 1_000_000_000].map(sizeTitle), [
    'empty',
    '10 KB',
    '2.5 MB',
    '1 GB',
  ]);
});
