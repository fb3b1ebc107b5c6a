import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnedRounds } from '../../../../harness/bench/turned-rounds.ts';

test('every variant is measured once a round, another one first each time, and the first round is not counted', async () => {
  const order: string[] = [];
  let count = 0;
  const samples = await turnedRounds(['a', 'b', 'c'], { counted: 3, warmUps: 1 }, (variant, words) => {
    order.push(`${variant} ${words}`);
    return Promise.resolve(count++);
  });
  assert.deepEqual(order.slice(0, 6), [
    ...['a not counted', 'b not counted', 'c not counted'],
    ...['b 1 of 3', 'c 1 of 3', 'a 1 of 3'],
  ]);
  assert.deepEqual(
    [...samples],
    [
      ['a', [5, 7, 9]],
      ['b', [3, 8, 10]],
      ['c', [4, 6, 11]],
    ],
  );
});
