import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { check, resolveConfig } from 'prettier';
import { answerQuestion } from '../../../../src/analyse/studies/answer-question.ts';
import { newQuestion, type NewQuestionOptions } from '../../../../src/app/findings/new-question.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { questionSchema } from '../../../../src/core/model/question.ts';
import { parsePlanDocument } from '../../../../src/plan/parse-plan-file.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';
import { projectDir } from '../../../support/source-graph.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const given = {
  asks: 'Is HTTP/3 slower than HTTP/2 from the author’s server?',
  thread: 'some-body/Some.Thing#123',
};

/** A checkout that has what a new question is written into. */
function checkout(t: TestContext): string {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'src/app/presets'), { recursive: true });
  mkdirSync(join(folder, 'docs'));
  for (const file of ['src/app/presets/registry.ts', 'docs/questions.md'])
    copyFileSync(join(projectDir, file), join(folder, file));
  return folder;
}

const make = (options: NewQuestionOptions, folder: string) =>
  newQuestion(options, { ...contextThatSays().context, projectDir: folder });

test('a skeleton is a plan that can be run, a line in the registry and an entry in the page', async (t) => {
  const folder = checkout(t);
  const { id, files } = await make(given, folder);
  assert.equal(id, 'some-thing-123');
  const file = join(folder, 'src/app/presets/question-some-thing-123.yaml');
  assert.equal(files[0], file);
  const text = readFileSync(file, 'utf8');
  const { question } = parsePlanDocument(text, file);
  assert.ok(question !== undefined && questionSchema.safeParse(question).success);
  assert.equal(question.read, false, 'the thread counts as read when somebody says so');
  const { plan } = planFromRequest(readPlanRequest(file, {}), '');
  assert.equal(plan.name, 'question-some-thing-123');
  const { outcome, tries, decides } = answerQuestion(question, plannedStudyRun(plan));
  assert.equal(outcome, 'not here', 'both sides have the same made-up values');
  assert.ok([decides, ...tries.map(({ result }) => result)].every((each) => (each?.ours.length ?? 0) > 0));
  const options = await resolveConfig(join(projectDir, 'src/app/presets/web.yaml'));
  assert.ok(await check(text, { ...options, filepath: file }), 'it is in the form of the project');
  const registry = readFileSync(join(folder, 'src/app/presets/registry.ts'), 'utf8');
  assert.match(registry, /\n {2}'question-some-thing-123',\n\];\n/);
  const before = readFileSync(join(projectDir, 'src/app/presets/registry.ts'), 'utf8');
  assert.equal(registry.replace("  'question-some-thing-123',\n", ''), before);
  const page = readFileSync(join(folder, 'docs/questions.md'), 'utf8');
  assert.match(
    page,
    /## Is HTTP\/3 slower[^\n]*\n\n\[some-body\/Some\.Thing#123\][^\n]*\n\nNot measured yet\.\n/,
  );
});

test('a sentence with quotes stays as it is', async (t) => {
  const folder = checkout(t);
  const asks = `Is "fast" nginx's HTTP/3: slow?`;
  const { files } = await make({ asks, thread: 'a/b#1', id: 'quotes' }, folder);
  const [file = ''] = files;
  assert.equal(parsePlanDocument(readFileSync(file, 'utf8'), file).question?.asks, asks);
});

test('what asks nothing, a thread of another form, a name that is taken, and an installed package are refused', async (t) => {
  const folder = checkout(t);
  const refusals: readonly (readonly [Partial<NewQuestionOptions>, RegExp])[] = [
    [{ asks: 'HTTP/3 is slow.' }, /is no question/],
    [{ thread: '1712' }, /"1712" is no thread/],
    [{ thread: 'nginx/nginx/1712' }, /is no thread/],
    [{ id: 'nginx-window' }, /there is a question called nginx-window/],
    [{ id: 'Some thing' }, /cannot name a question/],
    [{ id: '../up' }, /cannot name a question/],
  ];
  for (const [change, message] of refusals)
    await assert.rejects(make({ ...given, ...change }, folder), message, JSON.stringify(change));
  assert.ok(!existsSync(join(folder, 'src/app/presets/question-some-thing-123.yaml')));
  await assert.rejects(make(given, tempFolder(t)), /this is an installed package/);
  await make(given, folder);
  await assert.rejects(make(given, folder), /there is a question called some-thing-123/);
  writeFileSync(join(folder, 'docs/questions.md'), '# Mine\n');
  await assert.rejects(make({ ...given, id: 'another' }, folder), /is not of h2h3/);
});
