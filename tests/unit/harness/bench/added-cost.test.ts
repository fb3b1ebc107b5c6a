import assert from 'node:assert/strict';
import { test } from 'node:test';
import { biasWords } from '../../../../harness/bench/added-cost.ts';
import type { Centre } from '../../../../harness/bench/turned-rounds.ts';

const between =
  (low: number, high: number): Centre =>
  () => ({ estimate: (low + high) / 2, interval: [low, high] });

test('what costs both protocols unlike is said to bias comparisons, what differs by noise alone is not', () => {
  assert.match(biasWords([], between(28, 32)), /^30 ms, 95 % interval 28 to 32 ms: it is not alike/);
  assert.match(
    biasWords([], between(-33, 31)),
    /^-1 ms, .*: no difference shown; it may make one of up to 33 ms between the arms/,
  );
  assert.match(
    biasWords([], () => null),
    /not known/,
  );
});
