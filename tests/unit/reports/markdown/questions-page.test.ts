import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isQuestionsPage,
  renderQuestion,
  renderQuestionsPage,
} from '../../../../reports/markdown/questions-page.ts';
import { answerQuestion } from '../../../../src/analyse/studies/answer-question.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { askedQuestions } from '../../../../src/app/presets/registry.ts';
import type { StudyRun } from '../../../../src/core/model/study-run.ts';
import { faultsIn, proseOf } from '../../../support/plain-words.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';

const asked = askedQuestions().find(({ id }) => id === 'nginx-window') ?? assert.fail();
const { plan: planOfAsked } = planFromRequest(readPlanRequest(asked.preset, {}), '');

/** A run with these rates, by arm. */
function runWith(rates: Readonly<Record<string, number>>, changes: Partial<StudyRun> = {}): StudyRun {
  const value = (cell: { readonly arm: string }, metric: string, block: number): number | undefined =>
    metric === 'throughputMbps'
      ? (rates[cell.arm] ?? 0) * (1 + 0.002 * ((block * 7 + cell.arm.length) % 5))
      : undefined;
  return { ...plannedStudyRun(planOfAsked, { value }), ...changes };
}

const entryOf = (run: StudyRun | undefined, question = asked): string =>
  renderQuestion(question, answerQuestion(question, run));

/** The items of the first list of an entry: the answer. */
const answerOf = (entry: string): string[] => (entry.split('\n\n')[2] ?? '').split('\n');

const slow = { h2: 70, 'h3+sendwindow=64kb': 13, 'h3+sendwindow=8mb': 68 };

test('an answer has five lines: yes or no, how much, why, what fixes it, and the command', () => {
  const entry = entryOf(runWith(slow));
  const lines = answerOf(entry);
  assert.equal(lines.length, 5);
  const [yes = '', howMuch = '', why = '', fix = '', command = ''] = lines;
  assert.equal(yes, '- **Yes, by at least 50 %.**');
  assert.match(
    howMuch,
    /^- \*\*How much\*\*: throughput, .*HTTP\/3 .* against HTTP\/2: −81 %.*, 8 blocks\.$/,
  );
  assert.match(
    why,
    /^- \*\*Why\*\*: nginx sends no more of a stream .* With a stream buffer of 8 MB: .*times as much/,
  );
  assert.match(fix, /^- \*\*What fixes it\*\*: `http3_stream_buffer_size 8m`/);
  assert.equal(command, '- **Command**: `npx h2h3 questions --only nginx-window`');
  assert.match(entry, /What its author saw: Chrome read/);
  assert.match(entry, /Measured on 2026-01-01 with h2h3 abc123: \d+ of \d+ trials valid\./);
});

test('without the effect the answer is no, with the largest effect that the interval allows, and names no cause', () => {
  const entry = entryOf(runWith({ ...slow, 'h3+sendwindow=64kb': 63 }));
  assert.match(entry, /\*\*No, not by 50 %\.\*\*/);
  assert.match(entry, /The interval allows at most 1[01] % less throughput\./);
  assert.match(
    entry,
    /\*\*Why\*\*: there is no change of that size to explain\. Tried: a stream buffer of 8 MB\. /,
  );
  assert.match(entry, /nothing of that size needs to be fixed here/);
  assert.doesNotMatch(entry, /nginx sends no more of a stream/);
  const faster = entryOf(runWith({ ...slow, 'h3+sendwindow=64kb': 90 }));
  assert.match(faster, /The interval allows no change in that direction\./);
});

test('a cause is named only if its try works, or if the diagnosis of those arms names it', () => {
  const run = runWith({ ...slow, 'h3+sendwindow=8mb': 14 });
  const none = entryOf(run);
  assert.match(none, /\*\*Why\*\*: no cause is shown\. Tried: a stream buffer of 8 MB\. /);
  assert.match(none, /nothing that was tried changes it as much as the plan expects/);
  const pair = { baselineArm: 'h2', candidateArm: 'h3+sendwindow=64kb' };
  const diagnosed = entryOf({ ...run, diagnosed: [{ ...pair, causes: ['packets are lost'] }] });
  assert.match(diagnosed, /\*\*Why\*\*: The diagnosis names: packets are lost\./);
  const waits = {
    title: 'transfer while the server waited',
    ms: 3252,
    interval: [3197, 3306] as [number, number],
  };
  const link = {
    title: 'transfer while the link was full',
    ms: -300,
    interval: [-301, -299] as [number, number],
  };
  const placed = entryOf({ ...run, diagnosed: [{ ...pair, causes: [], parts: [link, waits] }] });
  assert.match(
    placed,
    /Of a load, the diagnosis finds one part 3252 ms longer \(3197 to 3306 ms\): transfer while the server waited\./,
  );
  const shorter = entryOf({ ...run, diagnosed: [{ ...pair, causes: [], parts: [link] }] });
  assert.match(shorter, /one part 300 ms shorter \(299 to 301 ms\): transfer while the link was full\./);
  const ofOthers = entryOf({
    ...run,
    diagnosed: [{ ...pair, baselineArm: 'h3+sendwindow=8mb', causes: ['packets are lost'] }],
  });
  assert.doesNotMatch(ofOthers, /packets are lost/);
});

test('a try that shows nothing is told next to one that does, and so is what the thread suspects', () => {
  const haproxy = askedQuestions().find(({ id }) => id === 'haproxy-large') ?? assert.fail();
  const { plan } = planFromRequest(readPlanRequest(haproxy.preset, {}), '');
  const rates: Readonly<Record<string, number>> = {
    h2: 55,
    h3: 27,
    'h3+sendwindow=4mb': 50,
    'h3+congestion=bbr': 28,
  };
  const value = (cell: { readonly arm: string }, metric: string, block: number): number | undefined =>
    metric === 'throughputMbps' ? (rates[cell.arm] ?? 0) * (1 + 0.002 * (block % 5)) : undefined;
  const entry = entryOf(plannedStudyRun(plan, { value }), haproxy);
  assert.match(entry, /With a send window of 4 MB: .* Tried too: BBR in place of CUBIC\. .*\+3\.7 %/);
  assert.match(entry, /The thread suspects a slow recovery of CUBIC/);
});

test('what is near a thread and no answer to it says so first', () => {
  const entry = entryOf(runWith(slow), { ...asked, related: 'It has another program.' });
  assert.match(
    answerOf(entry)[0] ?? '',
    /^- \*\*Yes, by at least 50 %\.\*\* Related: It has another program\.$/,
  );
});

test('an entry without a run says that it is not measured yet and nothing more', () => {
  const entry = entryOf(undefined);
  assert.deepEqual(entry.split('\n\n').slice(2), ['Not measured yet.']);
  assert.doesNotMatch(entry, /author|Command|%/);
});

test('what cannot be run here says why, and has its plan', () => {
  const kestrel = askedQuestions().find(({ id }) => id === 'kestrel-h3') ?? assert.fail();
  const entry = entryOf(undefined, kestrel);
  assert.match(entry, /\*\*Cannot be run here\.\*\* It needs \.NET with MsQuic/);
  assert.match(entry, /\*\*Command\*\*: `npx h2h3 plan question-kestrel-h3`/);
  assert.doesNotMatch(entry, /How much|fixes/);
});

test('a thread that was not read is told to be known by its subject alone', () => {
  assert.match(
    entryOf(undefined, { ...asked, read: false }),
    /The thread was not read, it is known by its subject alone\./,
  );
  assert.doesNotMatch(entryOf(undefined), /was not read/);
});

test('entries of every outcome are in plain words', () => {
  const runs = [
    runWith(slow),
    runWith({ ...slow, 'h3+sendwindow=64kb': 63 }),
    runWith({ ...slow, 'h3+sendwindow=64kb': 35 }),
    runWith({ ...slow, 'h3+sendwindow=8mb': 14 }, { disturbances: ['the load is 3.2'] }),
    runWith(slow, { lostByArm: [{ arm: 'h2', lost: 8, of: 8, why: 'nginx 1.30 cannot be had' }] }),
    undefined,
  ];
  for (const run of runs) {
    const entry = entryOf(run);
    assert.doesNotMatch(entry, /undefined|NaN|null|\[object/);
    assert.deepEqual(proseOf(entry).flatMap(faultsIn), []);
  }
  const page = renderQuestionsPage([[asked, answerQuestion(asked, undefined)]]);
  assert.ok(isQuestionsPage(page) && !isQuestionsPage('# Mine'));
  assert.match(
    page,
    /<!-- prettier-ignore-start -->[^]*Not measured yet\.[^]*<!-- prettier-ignore-end -->\n$/,
  );
});
