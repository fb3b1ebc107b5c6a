import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { trendSeries } from '../../../../src/analyse/history/trend.ts';
import { buildSubjects, gateArms } from '../../../../src/app/gate/gate-subject.ts';
import { importRuns, publishTrend, trendMetrics } from '../../../../src/app/history/history-file.ts';
import { readHistoryRun, runFoldersOf } from '../../../../src/app/history/import-run.ts';
import { parseArms } from '../../../../src/plan/arms.ts';
import { openHistory } from '../../../../src/store/history.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun, type GeneratedRun } from '../../../support/generated-run.ts';
import { generateGateRun } from '../../../support/gate-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const versions = generateGateRun({});
const { records } = versions;
const environment = environmentFixture(['old', 'new'], ['host']);

function writeRun(folder: string, { plan, records }: GeneratedRun = versions): string {
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

test('a night of two builds of an app is in the history by build and protocol, and the trend draws both', async (t) => {
  const results = tempFolder(t);
  const arms = parseArms(gateArms(buildSubjects, ['h2', 'h3']));
  const night = writeRun(join(results, 'app-nightly'), generateRun({ arms, blocks: 8 }));
  assert.deepEqual([...new Set(readHistoryRun(night).observations.map(({ arm }) => arm))].toSorted(), [
    'h2+app=baseline',
    'h2+app=candidate',
    'h3+app=baseline',
    'h3+app=candidate',
  ]);
  const history = await openHistory(join(results, 'history.duckdb'));
  t.after(() => history.close());
  const { added, refused } = await importRuns(history, [night], () => undefined);
  assert.deepEqual([added, refused], [1, []]);
  const ofLoads = await history.series(['pltMs']);
  const [load] = trendSeries(ofLoads).filter(
    ({ workload, protocol }) => workload === 'page-a' && protocol === 'h3',
  );
  assert.deepEqual(
    load?.nights.map(({ version, n }) => [version, n]),
    [['candidate build', 8]],
    'a level is of one build',
  );
  const pairs = trendSeries(ofLoads).flatMap(({ pairedWith }) => pairedWith?.baseline ?? []);
  assert.deepEqual([...new Set(pairs)], ['baseline build']);
  const page = readFileSync(await publishTrend(history, results, trendMetrics), 'utf8');
  assert.match(page, /candidate divided by the baseline build/);
});

test('two versions of a player are two in the history, as two of a browser are', (t) => {
  const arms = parseArms(['h3+player=dashjs@4', 'h3+player=dashjs@5']);
  const folder = writeRun(join(tempFolder(t), 'players'), generateRun({ arms, blocks: 2 }));
  const { observations } = readHistoryRun(folder);
  assert.deepEqual([...new Set(observations.map(({ role, version }) => `${role} ${version}`))].toSorted(), [
    'baseline dashjs@4',
    'candidate dashjs@5',
  ]);
});
