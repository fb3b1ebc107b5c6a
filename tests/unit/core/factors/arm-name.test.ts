import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armName, candidateName } from '../../../../src/core/factors/arm-name.ts';

test('in a gate the second of two like arms is the candidate', () => {
  assert.equal(armName({ label: 'h2#2', factors: { protocol: 'h2' } }), 'HTTP/2 (arm 2)');
  assert.equal(candidateName('HTTP/2 (arm 2)'), 'HTTP/2 (candidate)');
  assert.equal(candidateName('HTTP/3 in Chromium 153'), 'HTTP/3 in Chromium 153');
});
