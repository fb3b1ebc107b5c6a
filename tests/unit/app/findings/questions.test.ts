import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerQuestion } from '../../../../src/analyse/studies/answer-question.ts';
import {
  answeredQuestions,
  questionsNamed,
  questionsPageText,
  questionTimes,
  renewQuestions,
} from '../../../../src/app/findings/questions.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { askedQuestions } from '../../../../src/app/presets/registry.ts';
import { metricDefinition } from '../../../../src/core/metrics/registry.ts';
import type { PublishedSide } from '../../../../src/core/model/published.ts';
import type { AskedQuestion, QuestionOutcome } from '../../../../src/core/model/question.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { runCliHere } from '../../../support/cli.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { faultsIn } from '../../../support/plain-words.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';
import { projectDir } from '../../../support/source-graph.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const now = new Date('2026-05-04T03:02:01Z');
const questions = askedQuestions();
const runnable = questions.filter(({ needs }) => needs === undefined);

const planOf = ({ preset }: AskedQuestion) => planFromRequest(readPlanRequest(preset, {}), '').plan;
const armOf = (side: PublishedSide): string =>
  [typeof side === 'string' ? side : (side.arm ?? '')].flat()[0] ?? '';

test('there are at least twelve questions, each with a thread and a plan of its own that can be expanded', async () => {
  assert.ok(questions.length >= 12, `${questions.length} questions`);
  assert.equal(new Set(questions.map(({ thread }) => thread)).size, questions.length);
  assert.ok(runnable.length >= 10, `${runnable.length} can be run`);
  const timesMs = await questionTimes(questions);
  for (const [index, question] of questions.entries()) {
    const { id, preset, needs } = question;
    assert.equal(preset, `question-${id}`);
    const plan = planOf(question);
    assert.ok(plan.repetitions >= 8 && !plan.exploratory, `${id} has enough blocks to decide`);
    assert.equal(plan.published?.length, 1 + question.tries.length, id);
    const minutes = (timesMs[index] ?? 0) / 60_000;
    assert.ok(needs === undefined ? minutes > 0 && minutes <= 30 : minutes === 0, `${id}: ${minutes} min`);
  }
});

test('every claim of every question is compared in its plan, among the pairs that decide', () => {
  for (const question of questions) {
    const plan = planOf(question);
    const { decides, tries } = answerQuestion({ ...question, needs: undefined }, plannedStudyRun(plan));
    for (const result of [decides, ...tries.map((each) => each.result)]) {
      assert.ok(result !== undefined && result.ours.length > 0, `${question.id}: nothing is compared`);
      assert.ok(
        result.ours.every(({ blocks, form }) => blocks === 8 && form === 'ratio'),
        `${question.id}: ${result.experiment}`,
      );
    }
    const pairs = new Set(plan.compare?.map((pair) => pair.join()));
    for (const { compare } of [question.decides, ...question.tries])
      assert.ok(
        pairs.size === 0 || pairs.has(compare.map(armOf).join()),
        `${question.id}: ${compare.map(armOf).join()}`,
      );
  }
});

/** What a question comes to when its deciding arm has so many times the usual value. */
function outcomeWith(question: AskedQuestion, times: number, spread = 0.002): QuestionOutcome {
  const [baseline, candidate] = question.decides.compare.map(armOf);
  assert.notEqual(baseline, candidate);
  const run = plannedStudyRun(planOf(question), {
    value: (cell, metric, block) => {
      if (metric !== question.decides.metric) return undefined;
      return cell.arm === candidate ? 100 * times * (1 + (block % 2 === 0 ? spread : -spread)) : 100;
    },
  });
  // Shorter sessions are none in which a viewer gets the same.
  const cells = run.cells.map((cell) => ({
    ...cell,
    metrics: { ...cell.metrics, playedSeconds: cell.blocks.map(() => 60) },
  }));
  return answerQuestion(question, { ...run, cells }).outcome;
}

test('each question can come out as reproduced, not here and not decided, by its own rule', () => {
  for (const question of runnable) {
    const { metric, expects, least } = question.decides;
    assert.ok('percent' in least, question.id);
    const rises = (expects === 'better') === (metricDefinition(metric)?.higherIsBetter === true);
    const end = 1 + ((rises ? 1 : -1) * least.percent) / 100;
    assert.ok(end > 0, `${question.id}: no value falls by as much`);
    assert.equal(outcomeWith(question, rises ? end * 1.2 : end * 0.8), 'reproduced', question.id);
    assert.equal(outcomeWith(question, 1), 'not here', question.id);
    assert.equal(outcomeWith(question, end, 0.05), 'not decided', question.id);
  }
});

test('what is said of a question is in plain words', () => {
  const faults = questions.flatMap(({ id, asks, saw, theirs, ours, differs, needs, tries }) =>
    [
      asks,
      saw,
      theirs,
      ours,
      ...differs,
      needs ?? '',
      ...tries.flatMap(({ what, cause, fix }) => [what, cause, fix]),
    ]
      .map((text) => text.replaceAll(/`[^`]*`/g, 'X'))
      .flatMap(faultsIn)
      .map((fault) => `${id}: ${fault}`),
  );
  assert.deepEqual(faults, []);
});

test('the page of the project is made of its kept runs, byte for byte', () => {
  assert.deepEqual(answeredQuestions().passedOver, []);
  assert.equal(readFileSync(join(projectDir, 'docs/questions.md'), 'utf8'), questionsPageText());
});

/** A run of a question as it lies there on that day; HTTP/3 by the default buffer has this share of the rate. */
function writeRun(
  out: string,
  slowdown: number,
  alter: (record: TrialRecord) => TrialRecord | undefined = (record) => record,
): void {
  const question = questionsNamed(['nginx-window'])[0] ?? assert.fail();
  const whole = planOf(question);
  const { plan, records } = generateRun({
    workloads: whole.workloads,
    arms: whole.arms,
    networks: [...new Set(whole.conditions.map(({ network }) => network))],
    slowdown: { 'h3+sendwindow=64kb': slowdown },
    alter,
    plan: {
      name: question.preset,
      compare: whole.compare,
      primary: whole.primary,
      ...(whole.published === undefined ? {} : { published: whole.published }),
    },
  });
  const directory = createRunDirectory(join(out, 'nginx-window-2026-05-04'), plan);
  directory.writeEnvironment(environmentFixture(['chromium'], ['loopback']));
  records.forEach((record) => directory.append(record));
}

const foldersIn = (folder: string) => ({
  out: join(folder, 'runs'),
  kept: join(folder, 'kept'),
  page: join(folder, 'questions.md'),
});

test('a run is kept with its archive, and the page answers from what is kept alone', async (t) => {
  const where = foldersIn(tempFolder(t));
  writeRun(where.out, 5);
  const { context, said } = contextThatSays();
  const { renewed, exitCode } = await renewQuestions({ only: ['nginx-window'], ...where, now }, context);
  assert.deepEqual([renewed, exitCode], [['nginx-window'], 0]);
  assert.match(said.join('\n'), /nginx-window: measured today already/);
  assert.ok(existsSync(join(where.out, 'nginx-window-2026-05-04.zip')));
  assert.ok(existsSync(join(where.kept, 'question-nginx-window.json')));
  const text = readFileSync(where.page, 'utf8');
  assert.equal(text, questionsPageText(undefined, where.kept));
  assert.match(text, /Yes, by at least 50 %.[^]*−(?:79|80|81) %[^]*What fixes it/);
  assert.equal([...text.matchAll(/^## /gm)].length, questions.length);
  assert.equal([...text.matchAll(/^Not measured yet\.$/gm)].length, runnable.length - 1);
  const again = await renewQuestions({ only: ['nginx-window'], ...where, now }, context);
  assert.deepEqual(again.renewed, ['nginx-window']);
  assert.equal(readFileSync(where.page, 'utf8'), text);
});

test('an arm that cannot be had is no answer, and a run that is not whole is none either', async (t) => {
  const where = foldersIn(tempFolder(t));
  const without = (record: TrialRecord): TrialRecord =>
    record.arm === 'h3+sendwindow=64kb'
      ? { ...record, status: 'unsupported', reason: 'nginx 1.30 cannot be had', metrics: {} }
      : record;
  writeRun(where.out, 5, without);
  const { context } = contextThatSays();
  await renewQuestions({ only: ['nginx-window'], ...where, now }, context);
  assert.match(
    readFileSync(where.page, 'utf8'),
    /Cannot be run here\.\*\* No trial of h3\+sendwindow=64kb could be had/,
  );

  const failing = foldersIn(tempFolder(t));
  writeRun(failing.out, 5, (record) => ({ ...record, status: 'failed', reason: 'crashed', metrics: {} }));
  const { context: other, said } = contextThatSays();
  const failed = await renewQuestions({ only: ['nginx-window'], ...failing, now }, other);
  assert.deepEqual([failed.renewed, failed.exitCode], [[], 4]);
  assert.match(said.join('\n'), /nginx-window: not measured whole/);
  assert.doesNotMatch(readFileSync(failing.page, 'utf8'), /reproduced\.\*\*/);
});

test('a question that is none, a page of somebody else, and what needs more than is here', async (t) => {
  const where = foldersIn(tempFolder(t));
  const { context, said } = contextThatSays();
  await assert.rejects(
    renewQuestions({ only: ['nginx-windows'], ...where }, context),
    /there is no question "nginx-windows"/,
  );
  writeFileSync(where.page, '# Mine\n');
  await assert.rejects(renewQuestions({ only: ['kestrel-h3'], ...where }, context), /is not of h2h3/);
  assert.equal(readFileSync(where.page, 'utf8'), '# Mine\n');
  const { renewed } = await renewQuestions(
    { only: ['kestrel-h3'], ...where, page: join(where.out, 'page.md') },
    context,
  );
  assert.deepEqual(renewed, []);
  assert.match(said.join('\n'), /kestrel-h3: cannot be run here, it needs \.NET/);
});

test('the command lists questions with their answers and times, and measures nothing', async () => {
  const listed = await runCliHere(['questions', '--list', '--only', 'curl-upload,kestrel-h3']);
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, /curl-upload\s+curl\/curl#14198\s.*\sabout \d+ min/);
  assert.match(listed.stdout, /kestrel-h3\s.*\scannot be run here\s+–/);
  const json = await runCliHere(['questions', '--list', '--json']);
  const { questions: all } = JSON.parse(json.stdout) as {
    readonly questions: readonly { readonly id: string }[];
  };
  assert.deepEqual(
    all.map(({ id }) => id),
    questions.map(({ id }) => id),
  );
  const wrong = await runCliHere(['questions', '--only', 'nothing']);
  assert.equal(wrong.code, 2);
});
