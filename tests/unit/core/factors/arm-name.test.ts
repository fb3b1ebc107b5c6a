import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armName, candidateName, valueName } from '../../../../src/core/factors/arm-name.ts';
import { factors } from '../../../../src/core/factors/registry.ts';

test('in a gate the second of two like arms is the candidate', () => {
  assert.equal(armName({ label: 'h2#2', factors: { protocol: 'h2' } }), 'HTTP/2 (arm 2)');
  assert.equal(candidateName('HTTP/2 (arm 2)'), 'HTTP/2 (candidate)');
  assert.equal(candidateName('HTTP/3 in Chromium 153'), 'HTTP/3 in Chromium 153');
});

test('values go by short names', () => {
  for (const { id, example } of factors)
    for (const text of example.split(', ')) {
      const name = valueName(id, { [id]: text });
      assert.ok(name.length <= 44, `${id}: ${name} has ${name.length} letters`);
    }
  assert.equal(valueName('discovery', { discovery: 'https-record' }), 'HTTP/3 found by an HTTPS record');
  assert.equal(valueName('resume', { resume: '0rtt' }), 'early data (0-RTT)');
  assert.equal(
    valueName('prefers', { prefers: 'color-scheme:dark/reduced-motion:reduce' }),
    'a dark color scheme and reduced motion',
  );
});
