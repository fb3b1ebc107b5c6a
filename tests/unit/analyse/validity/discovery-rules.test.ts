import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discoveryFindings, withLostQuestions } from '../../../../src/analyse/validity/discovery-rules.ts';
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

test('a trial that failed says how many questions got no answer, and one that did not fail does not', () => {
  const asked = { atEpochMs: 1, name: 'a.test', type: 'A', found: true };
  const questions = [
    { ...asked, lost: true },
    { ...asked, lost: false },
  ];
  const finding = { status: 'failed', reasonCode: 'deadline', reason: 'deadline' } as const;
  const reason = 'deadline; 1 of 2 questions about names got no answer, as the arm sets it';
  assert.deepEqual(withLostQuestions(finding, { discovery: { way: 'alt-svc', questions } }), {
    ...finding,
    reason,
  });
  assert.equal(withLostQuestions(finding, { nameQuestions: questions }).reason, reason);
  assert.equal(withLostQuestions(finding, { nameQuestions: [asked] }), finding);
  const odd = { ...finding, status: 'invalid' } as const;
  assert.equal(withLostQuestions(odd, { nameQuestions: questions }), odd);
});
