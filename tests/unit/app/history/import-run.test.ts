import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readHistoryRun, runFoldersOf } from '../../../../src/app/history/import-run.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateGateRun } from '../../../support/gate-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const { plan, records } = generateGateRun({});
const environment = environmentFixture(['old', 'new'], ['host']);

function writeRun(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  writeFileSync(join(folder, 'environment.json'), JSON.stringify(environment));
  writeFileSync(
    join(folder, 'journal.jsonl'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  return folder;
}

test('what results/* brings along is no run, and a run under two names is one', (t) => {
  const results = tempFolder(t);
  const run = writeRun(join(results, 'a'));
  symlinkSync('a', join(results, 'latest'));
  mkdirSync(join(results, 'calibration'));
  mkdirSync(join(results, 'empty'));
  writeFileSync(join(results, 'history.duckdb'), '');
  const all = ['a', 'latest', 'calibration', 'empty', 'history.duckdb'].map((name) => join(results, name));
  assert.deepEqual(runFoldersOf(all), [run, join(results, 'empty')]);
  assert.deepEqual(runFoldersOf([results]), [run]);
  assert.deepEqual(runFoldersOf([join(results, 'history.duckdb')]), [join(results, 'history.duckdb')]);
});

test('a run keeps its id wherever it lies, and another beginning is another run', (t) => {
  const folder = tempFolder(t);
  const first = readHistoryRun(writeRun(join(folder, 'a')));
  const moved = readHistoryRun(writeRun(join(folder, 'b')));
  assert.deepEqual([moved.runId, moved.digest], [first.runId, first.digest]);
  assert.equal(first.observations.find(({ arm }) => arm === 'new:h3')?.version, '156.0.7990.1');
  writeFileSync(
    join(folder, 'b', 'environment.json'),
    JSON.stringify({ ...environment, startedAt: '2026-02-02T00:00:00Z' }),
  );
  assert.notEqual(readHistoryRun(join(folder, 'b')).runId, first.runId);
  writeFileSync(join(folder, 'a', 'journal.jsonl'), `${JSON.stringify(records[0])}\n`);
  const shorter = readHistoryRun(join(folder, 'a'));
  assert.deepEqual([shorter.runId === first.runId, shorter.digest === first.digest], [true, false]);
});
