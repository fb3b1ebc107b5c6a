import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeRange, quantity, rangeText, signedPercent } from '../../../../src/analyse/figures/figures.ts';

test('a range has its unit once where both ends have one, and no digit is taken for a unit', () => {
  const inUnit = (unit: string) => (value: number) => quantity(value, unit);
  assert.equal(rangeText([5, 3, 4], inUnit('ms')), '3 to 5 ms');
  assert.equal(rangeText([13, 23], inUnit('')), '13 to 23');
  assert.equal(rangeText([4, 4], inUnit('ms')), quantity(4, 'ms'));
  assert.equal(
    rangeText([900, 1200], (ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`)),
    '900 ms to 1.2 s',
  );
  assert.equal(rangeText([], inUnit('ms')), '');
});

test('changes of ratios are told by their size, or with their sign', () => {
  assert.equal(changeRange([1.12, 0.9]), '10 to 12 %');
  assert.equal(signedPercent(1.12), '+12 %');
  assert.equal(signedPercent(0.88), '−12 %');
});
