import assert from 'node:assert/strict';
import { test } from 'node:test';
import { biasWords } from '../../../../harness/bench/script-cost.ts';
import type { Centre } from '../../../../harness/bench/turned-rounds.ts';

const between =
  (low: number, high: number): Centre =>
  () => ({ estimate: (low + high) / 2, interval: [low, high] });

test('a script whose cost over both protocols differs is said to bias a journey, one with noise alone is not', () => {
  assert.match(biasWords([], between(28, 32)), /^30 ms, 95 % interval 28 to 32 ms: it is not alike/);
  assert.match(
    biasWords([], between(-33, 31)),
    /^-1 ms, .*: no difference shown; one of up to 33 ms between the arms/,
  );
  assert.match(
    biasWords([], () => null),
    /not known/,
  );
});
