import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discoveryFindings } from '../../../../src/analyse/validity/discovery-rules.ts';
import type { Discovery } from '../../../../src/core/model/raw-trial.ts';

const asked = (type: string, found: boolean): Discovery['questions'][number] => ({
  atEpochMs: 1,
  name: 'www.lab.test',
  type,
  found,
});
const reasonsOf = (way: Discovery['way'], ...questions: Discovery['questions']): readonly string[] =>
  discoveryFindings({ discovery: { way, questions } }).map(({ reason }) => reason);

test('a client that asked our resolver for what its arm has is well proven', () => {
  assert.deepEqual(reasonsOf('https-record', asked('A', true), asked('HTTPS', true)), []);
  assert.deepEqual(reasonsOf('alt-svc', asked('A', true), asked('HTTPS', false)), []);
  assert.deepEqual(reasonsOf('forced'), []);
  assert.deepEqual(discoveryFindings({}), []);
});

test('a client whose names were resolved past our resolver proves nothing', () => {
  assert.match(reasonsOf('alt-svc')[0] ?? '', /asked the testbed’s resolver nothing/);
  assert.match(reasonsOf('https-record', asked('A', true))[0] ?? '', /no HTTPS record/);
});

test('a record where the arm has none is told', () => {
  assert.match(reasonsOf('alt-svc', asked('HTTPS', true))[0] ?? '', /record of www\.lab\.test/);
});
