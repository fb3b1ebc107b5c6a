import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  headText,
  higherOrLower,
  predicateText,
  soonerOrLater,
} from '../../../../src/analyse/wording/predicate.ts';

const factor = { text: 'a factor of 3', factor: '3' };
const throughput = higherOrLower({ verb: 'get' }, 'throughput');
const paint = soonerOrLater({ verb: 'show', own: 'main content' });

test('times change by a factor, and of a rate there is so many times as much', () => {
  const load = { verb: 'load', side: 'faster' };
  assert.equal(predicateText(load, factor, 'several'), 'load faster by a factor of 3');
  assert.equal(predicateText(throughput.more, factor, 'several'), 'get 3 times the throughput');
  assert.equal(predicateText(throughput.less, factor, 'several'), 'get lower throughput by a factor of 3');
});

test('an amount goes by what it is, not by its words', () => {
  const spoken = { text: 'a factor that is not known' };
  assert.equal(
    predicateText(throughput.more, spoken, 'several'),
    'get a factor that is not known higher throughput',
  );
  assert.equal(predicateText(throughput.more, null, 'several'), 'get higher throughput');
});

test('one page shows its content, several show theirs, and any may be later', () => {
  const amount = { text: '24 %' };
  assert.equal(predicateText(paint.more, amount, 'one'), 'shows its main content 24 % later');
  assert.equal(predicateText(paint.less, amount, 'several'), 'show their main content 24 % sooner');
  const index = { verb: 'be', side: 'higher' };
  assert.deepEqual(
    (['one', 'several', 'may'] as const).map((form) => predicateText(index, amount, form)),
    ['is 24 % higher', 'are 24 % higher', 'be 24 % higher'],
  );
  assert.equal(headText({ verb: 'fill', object: 'the screen' }, 'several'), 'fill the screen');
});
