import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut } from '../../../../src/core/model/cut.ts';

test('what fits stays, and what does not ends behind a whole word', () => {
  assert.equal(cut('with happy eyeballs', 19), 'with happy eyeballs');
  assert.equal(cut('with happy eyeballs on', 18), 'with happy…');
  assert.equal(cut('with happy eyeballs on', 20), 'with happy eyeballs…');
  assert.equal(cut('flags happy_eyeballs_enabled=true', 28), 'flags happy_eyeballs…');
  assert.equal(cut('load time (mean), then more', 18), 'load time (mean)…');
  assert.equal(cut('from −47 % to +4.7 %', 17), 'from −47 % to…', 'half a number is another number');
});

test('a word that alone is longer is cut within, so that something is left of it', () => {
  assert.equal(cut('Donaudampfschifffahrt', 10), 'Donaudamp…');
  assert.equal(cut('a Donaudampfschifffahrt', 10), 'a Donauda…');
});

test('no letter of several code units is torn apart', () => {
  assert.equal(cut('🧪🧪🧪🧪', 3), '🧪🧪…');
});
