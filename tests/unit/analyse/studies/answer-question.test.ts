import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerQuestion } from '../../../../src/analyse/studies/answer-question.ts';
import { claimDigest } from '../../../../src/analyse/studies/claim-digest.ts';
import {
  claimsOf,
  questionSchema,
  type Question,
  type QuestionAnswer,
} from '../../../../src/core/model/question.ts';
import type { StudyRun } from '../../../../src/core/model/study-run.ts';
import { plan } from '../../../support/measured-study.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';

const question: Question = questionSchema.parse({
  asks: 'Is a download slower over HTTP/3?',
  thread: 'somebody/something#1',
  read: true,
  saw: 'Half the rate.',
  theirs: 'A machine.',
  ours: 'Another machine.',
  differs: ['The machine.'],
  decides: {
    workloads: ['small'],
    networks: ['slow'],
    compare: ['h2', 'h3'],
    metric: 'throughputMbps',
    expects: 'worse',
    least: { percent: 50 },
  },
  tries: [
    {
      what: 'a faster network',
      compare: [
        { arm: 'h3', network: 'slow', workload: 'small' },
        { arm: 'h3', network: 'fast', workload: 'small' },
      ],
      metric: 'throughputMbps',
      expects: 'better',
      least: { percent: 100 },
      cause: 'The network is slow.',
      fix: 'Take a faster one.',
    },
  ],
});

/** A run with these rates of HTTP/3 where HTTP/2 has 100, by network; a rate may vary by block. */
function runWith(
  rateOf: (network: string, block: number) => number | null,
  asked = question,
  changes: Partial<StudyRun> = {},
): StudyRun {
  const run = plannedStudyRun(
    { ...plan, published: claimsOf(asked) },
    {
      value: (cell, metric, block) => {
        if (!/^(?:throughputMbps|totalRequestTimeMs)$/.test(metric)) return undefined;
        return cell.arm === 'h3' ? rateOf(cell.network, block) : 100;
      },
    },
  );
  return { ...run, ...changes };
}

const answerTo = (...given: Parameters<typeof runWith>): QuestionAnswer =>
  answerQuestion(given[1] ?? question, runWith(...given));

test('beyond the least effect it is reproduced, and a try that changes as much as expected has found the cause', () => {
  const answer = answerTo((network) => (network === 'slow' ? 30 : 90));
  assert.equal(answer.outcome, 'reproduced');
  assert.deepEqual(
    answer.tries.map(({ what, works }) => [what, works]),
    [['a faster network', true]],
  );
  const without = answerTo((network) => (network === 'slow' ? 30 : 45));
  assert.equal(without.outcome, 'reproduced');
  assert.equal(without.tries[0]?.works, false, 'half as much more is less than twice as much');
});

test('short of the least effect it is not here, also where HTTP/3 is slower by less, and where it is faster', () => {
  for (const rate of [97, 80, 55, 140]) assert.equal(answerTo(() => rate).outcome, 'not here', String(rate));
  const [low = 0, high = 0] = answerTo(() => 80).decides?.ours[0]?.interval ?? [];
  assert.ok(low > -0.5 && high < 0, 'the bound of the effect is an end of the interval');
});

test('with the least effect in its interval it is not decided, as at the least effect itself', () => {
  assert.equal(answerTo((_network, block) => (block % 2 === 0 ? 20 : 120)).outcome, 'not decided');
  assert.equal(answerTo((_network, block) => (block % 2 === 0 ? 49 : 51)).outcome, 'not decided');
  const none = answerTo((_network, block) => (block < 3 ? 20 : null));
  assert.equal(none.outcome, 'not decided', 'three blocks have no interval');
});

test('lost trials count against both answers', () => {
  const lost = answerTo((_network, block) => (block < 6 ? 30 : null));
  assert.equal(lost.outcome, 'not decided');
});

test('of a time longer is worse, and of a difference the unit counts', () => {
  const ofTime: Question = {
    ...question,
    decides: { ...question.decides, metric: 'totalRequestTimeMs', least: { percent: 100 } },
  };
  assert.equal(answerTo(() => 250, ofTime).outcome, 'reproduced');
  assert.equal(answerTo(() => 150, ofTime).outcome, 'not here');
  const mixed: Question = { ...question, decides: { ...question.decides, least: { difference: 40 } } };
  const asDifference = answerTo(() => 10, mixed);
  assert.equal(asDifference.outcome, 'not decided', 'a ratio has no such difference');
});

test('without a run it is not measured yet, and with a rule that was changed after the run neither', () => {
  assert.deepEqual(answerQuestion(question, undefined), { outcome: 'not measured yet', tries: [] });
  const softer: Question = { ...question, decides: { ...question.decides, least: { percent: 20 } } };
  const changed = answerQuestion(
    softer,
    runWith(() => 30),
  );
  assert.deepEqual([changed.outcome, changed.run], ['not measured yet', undefined]);
  assert.match(changed.reason ?? '', /rule was changed after the run/);
  const reworded: Question = { ...question, saw: 'A third of the rate.', ours: 'A third machine.' };
  assert.equal(
    answerQuestion(
      reworded,
      runWith(() => 30),
    ).outcome,
    'reproduced',
    'words are no rule',
  );
});

test('a version that cannot be had, and what needs something that is not here, is said and not answered from another', () => {
  const lostByArm = [{ arm: 'h3', lost: 8, of: 8, why: 'nginx 9 cannot be had' }];
  const absent = answerTo(() => null, question, { lostByArm });
  assert.equal(absent.outcome, 'cannot be run here');
  assert.equal(absent.reason, 'no trial of h3 could be had: nginx 9 cannot be had');
  const some = answerTo(() => 30, question, { lostByArm: [{ arm: 'h3', lost: 1, of: 8 }] });
  assert.equal(some.outcome, 'reproduced');
  const needs: Question = { ...question, needs: 'a phone' };
  const cannot = answerQuestion(
    needs,
    runWith(() => 30),
  );
  assert.deepEqual(cannot, { outcome: 'cannot be run here', reason: 'it needs a phone', tries: [] });
});

test('the claims of a question have digests, one each, in which the least effect counts', () => {
  const digests = claimsOf(question).map((claim) => claimDigest(claim));
  assert.equal(new Set(digests).size, 2);
  const other = claimsOf({ ...question, decides: { ...question.decides, least: { percent: 51 } } });
  assert.notEqual(claimDigest(other[0] ?? assert.fail()), digests[0]);
});

test('a question without a question mark, a thread of another form, and one without a try are none', () => {
  const refused = (change: Partial<Record<keyof Question, unknown>>): boolean =>
    !questionSchema.safeParse({ ...question, ...change }).success;
  assert.ok(!refused({}));
  for (const change of [
    { asks: 'Slower.' },
    { asks: '' },
    { thread: 'nginx#1' },
    { thread: 'nginx/nginx#0' },
    { thread: 'https://github.com/nginx/nginx/issues/1' },
    { tries: [] },
    { tries: [...question.tries, ...question.tries] },
    { differs: [] },
    { asked: 'yesterday' },
    { decides: { ...question.decides, least: { percent: 0 } } },
    { decides: { ...question.decides, expects: 'equivalent' } },
  ])
    assert.ok(refused(change), JSON.stringify(change));
  assert.ok(!refused({ tries: [], needs: 'a phone' }));
});
