import assert from 'node:assert/strict';
import { test } from 'node:test';
import { biasWords } from '../../../../harness/bench/script-cost.ts';

test('a script whose cost over both protocols differs is said to bias a journey, one with noise alone is not', () => {
  assert.match(biasWords([30, 32, 28, 31]), /^mean 30 ms, 95 % interval 2\d to 3\d ms: it is not alike/);
  assert.match(
    biasWords([30, -32, 28, -31]),
    /^mean -1 ms, .*: no difference shown; one of up to \d+ ms between the arms/,
  );
  assert.match(biasWords([30]), /not known/);
});
