import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  armName,
  candidateNameOfLabel,
  pairNames,
  valueName,
} from '../../../../src/core/factors/arm-name.ts';
import { factors } from '../../../../src/core/factors/registry.ts';

test('in a gate the second of two like arms is the candidate', () => {
  assert.equal(armName({ label: 'h2#2', factors: { protocol: 'h2' } }), 'HTTP/2 (arm 2)');
  assert.equal(candidateNameOfLabel('h2#2'), 'HTTP/2 (candidate)');
  assert.equal(candidateNameOfLabel('h2#candidate'), 'HTTP/2 (candidate)');
  assert.equal(candidateNameOfLabel('chromium@153:h3'), 'HTTP/3 in Chromium 153');
});

test('what a pair shares is a place behind a clause, and a name where it stands for itself', () => {
  const side = (server: string): Parameters<typeof pairNames>[0] => ({
    label: `h3+server=${server}`,
    factors: { protocol: 'h3', server },
  });
  const { shared, sharedName } = pairNames(side('nginx'), side('caddy'));
  assert.deepEqual([shared, sharedName], ['over HTTP/3', 'HTTP/3']);
  const over = (protocol: 'h2' | 'h3'): Parameters<typeof pairNames>[0] => ({
    label: `${protocol}+server=nginx`,
    factors: { protocol, server: 'nginx' },
  });
  const names = pairNames(over('h2'), over('h3'));
  assert.deepEqual([names.shared, names.sharedName], ['from nginx', 'nginx']);
});

test('values go by short names', () => {
  for (const { id, example } of factors)
    for (const text of example.split(', ')) {
      const name = valueName(id, { [id]: text });
      assert.ok(name.length <= 44, `${id}: ${name} has ${name.length} letters`);
    }
  assert.equal(valueName('discovery', { discovery: 'https-record' }), 'HTTP/3 found by an HTTPS record');
  assert.equal(valueName('outage', { outage: '2s@1500ms' }), 'an outage of 2 s after 1500 ms');
  assert.equal(valueName('lossburst', { lossburst: '30%/2s@1s' }), '30 % loss for 2 s after 1 s');
  assert.equal(valueName('resume', { resume: '0rtt' }), 'early data (0-RTT)');
  assert.equal(
    valueName('prefers', { prefers: 'color-scheme:dark/reduced-motion:reduce' }),
    'a dark color scheme and reduced motion',
  );
});
