import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thinned } from '../../../../src/app/explain/time-lines.ts';

test('a long series is thinned evenly, with its first and its last sample', () => {
  const long = Array.from({ length: 10_000 }, (_, index) => index);
  const few = thinned(long);
  assert.deepEqual([few.length, few[0], few.at(-1)], [240, 0, 9999]);
  assert.deepEqual(
    few,
    few.toSorted((a, b) => a - b),
  );
  assert.deepEqual(thinned([3, 1]), [3, 1]);
});
