import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { plannedInterims } from '../../../src/analyse/forecast/decidability.ts';
import { summarise } from '../../../src/analyse/summary/summarise.ts';
import type { TrialRecord } from '../../../src/core/model/record.ts';
import { openToResume } from '../../../src/store/open-to-resume.ts';
import { createRunDirectory, type RunDirectory } from '../../../src/store/run-directory.ts';
import { reasonOf, writtenReason } from '../../../src/core/model/reasons.ts';
import { generateRun } from '../../support/generated-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const generated = generateRun({ blocks: 12, noise: 0.2 });
const sequential = { ...generated.plan, interims: plannedInterims(generated.plan, 12) };

/** Records of a run whose budget ended after so many blocks. */
function endedAfter(blocks: number): TrialRecord[] {
  return generated.records.map((record) =>
    record.blockIndex < blocks
      ? record
      : { ...record, status: 'not-run' as const, ...writtenReason(reasonOf('budget')), metrics: {} },
  );
}

function written(t: TestContext, plan: typeof generated.plan, records: readonly TrialRecord[]): RunDirectory {
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  records.forEach((record) => directory.append(record));
  return directory;
}

test('what the budget left out is open again, and the plan keeps where its error was spent', (t) => {
  const { path } = written(t, sequential, endedAfter(6));
  const opened = openToResume(path);
  const { records } = opened.journal();
  assert.deepEqual(opened.plan.ends, [6]);
  assert.equal(records.length, generated.records.filter(({ blockIndex }) => blockIndex < 6).length);
  assert.ok(records.every(({ status }) => status === 'ok'));
});

test('a second end is kept beside the first, and opening twice changes nothing more', (t) => {
  const { path } = written(t, sequential, endedAfter(6));
  const opened = openToResume(path);
  endedAfter(9)
    .filter(({ blockIndex }) => blockIndex >= 6)
    .forEach((record) => opened.append(record));
  assert.deepEqual(openToResume(path).plan.ends, [6, 9]);
  const before = readFileSync(join(path, 'journal.jsonl'), 'utf8');
  assert.deepEqual(openToResume(path).plan.ends, [6, 9]);
  assert.equal(readFileSync(join(path, 'journal.jsonl'), 'utf8'), before);
});

test('a run without interim analyses spends no error at its end, and other trials that were not run stay', (t) => {
  const decided = endedAfter(6).map((record) =>
    record.status === 'not-run' && record.blockIndex >= 9
      ? { ...record, ...writtenReason(reasonOf('decided', 'decided')) }
      : record,
  );
  const opened = openToResume(written(t, generated.plan, decided).path);
  assert.equal(opened.plan.ends, undefined);
  assert.deepEqual(
    [...new Set(opened.journal().records.map(({ blockIndex, reason }) => `${blockIndex} ${reason ?? 'ok'}`))],
    [...Array.from({ length: 6 }, (_, block) => `${block} ok`), '9 decided', '10 decided', '11 decided'],
  );
});

test('a killed line at the end of the journal is kept out of the run as before', (t) => {
  const { path } = written(t, sequential, endedAfter(6));
  appendFileSync(join(path, 'journal.jsonl'), '{"trialId": "half');
  assert.equal(
    openToResume(path)
      .journal()
      .records.every(({ status }) => status === 'ok'),
    true,
  );
});

test('a run that never ended for want of time is opened as it lies', (t) => {
  const { path } = written(t, sequential, generated.records.slice(0, 10));
  const before = readFileSync(join(path, 'plan.json'), 'utf8');
  assert.equal(openToResume(path).plan.ends, undefined);
  assert.equal(readFileSync(join(path, 'plan.json'), 'utf8'), before);
});

test('the summary of a run that was resumed says that error is spent again, and how much', () => {
  const told = (ends: number[]): string[] =>
    summarise({ ...sequential, ends }, generated.records, null, []).warnings.filter((warning) =>
      warning.includes('error'),
    );
  assert.deepEqual(told([]), []);
  assert.match(told([6]).join(), /after 6 blocks.*a second time.*level of 10 %, not 5\.0 %/);
  assert.match(told([6, 8]).join(), /after 6 blocks and after 8 blocks.*3 times.*level of 15 %/);
  assert.deepEqual(told([12]), [], 'nothing came after the end');
});
