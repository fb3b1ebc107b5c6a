import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cheaperWords } from '../../../../src/analyse/answers/cheaper.ts';

test('a next step that takes far longer than the run did comes with what costs less', () => {
  assert.equal(
    cheaperWords(54, 1.6, []),
    'That is far longer than this run took. Cheaper: --budget 4m. What does not fit is measured later by run --resume.',
  );
  assert.match(
    cheaperWords(54, 1.6, ['pages', 'arms', 'networks']) ?? '',
    /Cheaper: fewer pages, arms or networks, or --budget 4m\./,
  );
});

test('a next step of about the time that was given stands alone, and so does a short one', () => {
  assert.equal(cheaperWords(54, 30, ['pages']), undefined);
  assert.equal(cheaperWords(9, 1, ['pages']), undefined);
  assert.equal(cheaperWords(null, 1, []), undefined);
  assert.equal(cheaperWords(54, null, []), undefined);
});
