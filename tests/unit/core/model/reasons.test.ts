import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasReason, knownCode, reasonOf, writtenReason } from '../../../../src/core/model/reasons.ts';

test('a reason is written as its text and its code, and its facts where it has any', () => {
  assert.deepEqual(writtenReason(reasonOf('no-pairs')), {
    reason: 'no block has a value in both arms',
    reasonCode: 'no-pairs',
  });
  assert.deepEqual(writtenReason(reasonOf('lease-lost', 'lease lost: a', { why: 'a' })), {
    reason: 'lease lost: a',
    reasonCode: 'lease-lost',
    reasonFacts: { why: 'a' },
  });
  assert.deepEqual(writtenReason(undefined), {});
});

test('what goes by a reason goes by its code, whatever its text says', () => {
  const written = { reason: 'unequal losses', reasonCode: 'no-pairs' };
  assert.ok(hasReason(written, 'unequal-losses', 'no-pairs'));
  assert.ok(!hasReason(written, 'unequal-losses'));
  assert.ok(!hasReason({ reason: 'budget' }, 'budget'));
});

test('codes of newer versions and names of an object’s own are not known', () => {
  assert.deepEqual([knownCode('of-a-newer-version'), knownCode('toString')], [undefined, undefined]);
  assert.equal(knownCode('budget'), 'budget');
});
