import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addedTo, turnedRounds, upperBoundPercent } from '../../../../harness/bench/turned-rounds.ts';

test('every variant is measured once a round, another one first each time, and the first round is not counted', async () => {
  const order: string[] = [];
  let count = 0;
  const samples = await turnedRounds(['a', 'b', 'c'], { counted: 3, warmUps: 1 }, (variant, words) => {
    order.push(`${variant} ${words}`);
    return Promise.resolve(count++);
  });
  assert.deepEqual(order.slice(0, 6), [
    'a not counted',
    'b not counted',
    'c not counted',
    'b 1 of 3',
    'c 1 of 3',
    'a 1 of 3',
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

test('what one variant has beyond another is told round by round, and bounded in percent of the other', () => {
  assert.deepEqual(addedTo([100, 200, 300], [101, 205, 298]), [1, 5, -2]);
  const levels: number[] = [];
  const bound = upperBoundPercent([1, 5, -2], [100, 200, 300], (differences, level) => {
    assert.deepEqual(differences, [1, 5, -2]);
    levels.push(level);
    return { estimate: 1, interval: [-2, 5] };
  });
  assert.equal(bound, 2.5, 'of the median, 200');
  assert.deepEqual(levels, [0.9], 'one-sided at 95 %');
  assert.ok(Number.isNaN(upperBoundPercent([1], [100], () => null)));
});
