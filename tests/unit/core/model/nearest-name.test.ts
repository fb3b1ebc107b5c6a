import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearestName, similarNames } from '../../../../src/core/model/nearest-name.ts';
import { sortsWorthOf } from '../../../support/cpu-time.ts';

test('a slip of the finger is told from another word', () => {
  assert.equal(nearestName('Chromum', ['chromium', 'firefox']), 'chromium');
  assert.equal(nearestName('safari', ['chromium', 'firefox']), undefined);
});

test('two letters in each other’s place are one slip', () => {
  assert.equal(nearestName('cabel', ['cable', 'dsl', 'satellite']), 'cable');
  assert.equal(nearestName('hra', ['frames', 'har', 'cpu']), 'har');
  assert.equal(nearestName('abc', ['cba']), undefined);
});

test('a name of which only the beginning was typed is meant, where that is long enough to tell', () => {
  const names = ['wikipedia.org', 'wikihow.com', 'Moto G4'];
  assert.equal(nearestName('wikpedia', names), 'wikipedia.org');
  assert.equal(nearestName('moto', names), 'Moto G4');
  assert.equal(nearestName('wik', names), undefined);
  assert.equal(nearestName('dailymail', names), undefined);
});

// Found by the fuzzer: a plan file whose workload has a name of 200 000 digits was compared with every name for minutes.
test('what is far too long for a name is near none, and found so at once', async () => {
  const long = `download-1${'9'.repeat(1_000_000)}`;
  const sorts = await sortsWorthOf(() => {
    assert.equal(nearestName(long, ['download-1mb', long]), undefined);
    assert.equal(nearestName('download-1m', ['download-1mb', long]), 'download-1mb');
  });
  assert.ok(sorts < 50, `${sorts} times the CPU time of a sort, minutes before`);
});

test('an error asks for the name that was meant, then says where the names are; it asks nothing where none is near', () => {
  const names = ['chromium', 'firefox'];
  assert.equal(didYouMean('chromum', names, 'See the list.'), 'Did you mean chromium? See the list.');
  assert.equal(didYouMean('chromum', names), 'Did you mean chromium?');
  assert.equal(didYouMean('safari', names, 'See the list.'), 'See the list.');
  assert.equal(didYouMean('safari', names), '');
});

test('names that begin like what was typed come first, however long they are', () => {
  const names = ['page-agency', 'page-landing', 'page-tabler-index', 'page-swagger'];
  assert.equal(similarNames('page-tabla', names)[0], 'page-tabler-index');
  assert.equal(similarNames('page-agenzy', names)[0], 'page-agency');
});
