import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { judgedGate } from '../../../../src/app/judge/judged-gate.ts';
import { resumeStep, withResume } from '../../../../src/app/judge/with-resume.ts';
import { summaryOf } from '../../../../src/app/report/recorded-summary.ts';
import { createRunDirectory, type RunDirectory } from '../../../../src/store/run-directory.ts';
import { reasonOf, writtenReason } from '../../../../src/core/model/reasons.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A run that was to have twelve blocks and ended after so many. */
function endedAfter(t: TestContext, blocks: number): RunDirectory {
  const { plan, records } = generateRun({ blocks: 12, noise: 0.2 });
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  for (const record of records)
    directory.append(
      record.blockIndex < blocks
        ? record
        : { ...record, status: 'not-run' as const, ...writtenReason(reasonOf('budget')), metrics: {} },
    );
  return directory;
}

test('where the time budget ended a run, measuring more resumes it and does not begin anew', (t) => {
  const directory = endedAfter(t, 3);
  const answers = withResume(directory, summaryOf(directory).answers);
  const open = answers.filter(({ action }) => action === 'measure-more');
  assert.ok(open.length > 0);
  for (const { command, minutes } of open) {
    assert.match(command ?? '', /^h2h3 run --resume \S+ --budget \d+m$/);
    assert.ok(command?.includes(directory.path));
    assert.ok(minutes !== null && minutes[0] === minutes[1] && minutes[0] > 0);
  }
});

test('a run that came to its end keeps its own command', (t) => {
  const directory = endedAfter(t, 12);
  const summary = summaryOf(directory);
  assert.equal(resumeStep(directory), null);
  assert.equal(withResume(directory, summary.answers), summary.answers);
});

test('a gate, its report and the line at its end name the same command', (t) => {
  const directory = endedAfter(t, 3);
  const said = resumeStep(directory)?.command;
  assert.match(said ?? '', /^h2h3 run --resume \S+ --budget \d+m$/);
  const [ofReport] = withResume(directory, summaryOf(directory).answers);
  const [ofGate] = judgedGate(directory).next ?? [];
  assert.equal(ofReport?.command, said);
  assert.equal(ofGate?.command, said);
  assert.equal(ofGate?.advice, ofReport?.advice);
});
