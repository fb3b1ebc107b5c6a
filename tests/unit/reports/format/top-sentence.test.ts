import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topSentence } from '../../../../reports/format/top-sentence.ts';
import type { Answer } from '../../../../src/model/answer.ts';
import { summaryFixture } from '../../../support/summary-fixture.ts';

function answer(action: Answer['action'], sentence: string): Answer {
  return {
    ...{ kind: 'page', network: '4g', server: 'caddy', baselineArm: 'h2', candidateArm: 'h3', shaped: true },
    ...{ sentence, action, sureness: 'sure', advice: '', minutes: null, command: null, asides: [] },
    comparisons: [],
  };
}

test('of several answers the weightiest stands on top, unless a sentence tells of all together', () => {
  const answers = [answer('measure-more', 'Open.'), answer('do-not', 'Worse for sure.')];
  const summary = { ...summaryFixture(), answers };
  assert.equal(topSentence({ ...summary, overview: ['Open.', 'Worse for sure.'] }), 'Worse for sure.');
  assert.equal(topSentence({ ...summary, overview: ['In both browsers worse.'] }), 'In both browsers worse.');
});
