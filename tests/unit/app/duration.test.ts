import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, parseDuration } from '../../../src/app/duration.ts';

test('durations are read with their unit', () => {
  assert.equal(parseDuration('90s'), 90_000);
  assert.equal(parseDuration('20m'), 1_200_000);
  assert.equal(parseDuration('1.5h'), 5_400_000);
});

test('what is no duration is refused', () => {
  for (const text of ['', '20', '-1m', '5d', 'm'])
    assert.throws(() => parseDuration(text), /not a duration/, text);
});

test('durations are written for people', () => {
  assert.equal(formatDuration(45_200), '45 s');
  assert.equal(formatDuration(200_000), '3 min 20 s');
  assert.equal(formatDuration(7_500_000), '2 h 5 min');
});
