import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrderOfWeight } from '../../../../reports/format/top-sentence.ts';
import type { Answer } from '../../../../src/core/model/answer.ts';

function answer(action: Answer['action']): Answer {
  return {
    kind: 'page',
    network: '4g',
    server: 'caddy',
    baselineArm: 'h2',
    candidateArm: 'h3',
    shaped: true,
    sentence: '',
    action,
    sureness: 'sure',
    advice: '',
    minutes: null,
    command: null,
    asides: [],
    comparisons: [],
  };
}

test('of several answers the one that asks for most comes first', () => {
  const answers = inOrderOfWeight([answer('measure-more'), answer('either'), answer('do-not')]);
  assert.deepEqual(
    answers.map(({ action }) => action),
    ['do-not', 'either', 'measure-more'],
  );
});
