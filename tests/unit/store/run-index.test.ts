import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishIndex } from '../../../src/app/report/publish-index.ts';
import { writeReports, writeSummary } from '../../../src/app/report/publish.ts';
import { report } from '../../../src/app/serve/report.ts';
import { JournalTail } from '../../../src/store/journal-tail.ts';
import { createRunDirectory } from '../../../src/store/run-directory.ts';
import { readRuns, runIndexFile, writeRuns } from '../../../src/store/run-index.ts';
import { lockRunDirectory } from '../../../src/store/run-lock.ts';
import { trendsOf } from '../../../reports/html/index/trends.ts';
import { namesFrom } from '../../../src/core/model/names.ts';
import { audienceFixture } from '../../support/audience-fixture.ts';
import { generateRun } from '../../support/generated-run.ts';
import { silent } from '../../support/silent-progress.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('the list names every run with its state, what is broken with its reason, and is remembered', async (t) => {
  const parent = tempFolder(t);
  const { plan, records } = generateRun({ plan: { name: '<b>nightly</b>' } });
  const whole = createRunDirectory(join(parent, 'whole'), plan);
  records.forEach((record) => whole.append(record));
  await writeReports(whole, writeSummary(whole), () => undefined);
  const half = createRunDirectory(join(parent, 'half'), plan);
  records.slice(0, 3).forEach((record) => half.append(record));
  const running = createRunDirectory(join(parent, 'running'), plan);
  const release = lockRunDirectory(running.path, process.pid);
  const broken = createRunDirectory(join(parent, 'broken'), plan);
  broken.write('summary.json', '{"schemaVersion": 1, "run"');
  mkdirSync(join(parent, 'no-run'));
  const page = readFileSync((await publishIndex(parent)) ?? '', 'utf8');
  release();
  assert.ok(page.includes('&lt;b&gt;nightly&lt;/b&gt;') && !page.includes('<b>nightly'));
  assert.ok(page.includes('href="whole/report.html"') && !page.includes('half/report.html'));
  for (const word of ['complete', 'unfinished', '▶ running', 'Cannot be read:'])
    assert.ok(page.includes(word), word);

  const runs = readRuns(parent);
  const stateOf = (folder: string): string | undefined => runs.find((run) => run.folder === folder)?.state;
  assert.deepEqual(['whole', 'half', 'running', 'broken', 'no-run', 'latest'].map(stateOf), [
    'complete',
    'unfinished',
    'unfinished',
    'unreadable',
    undefined,
    undefined,
  ]);
  const entry = runs.find(({ folder }) => folder === 'whole');
  assert.equal(entry?.trials?.ok, records.length);
  assert.deepEqual(
    entry?.primary.map(({ workload, metric }) => [workload, metric]),
    [['pooled', 'pltMs']],
  );
  // What has not changed is not read again.
  writeRuns(
    parent,
    runs.map((run) => ({ ...run, headline: ['remembered'] })),
  );
  assert.ok(readRuns(parent).every(({ headline }) => headline[0] === 'remembered'));
  writeFileSync(join(parent, runIndexFile), 'cut sho');
  assert.equal(readRuns(parent).length, 4);
});

test('the first sentence of a run in the list is its headline, with what limits it behind', (t) => {
  const parent = tempFolder(t);
  const { plan, records } = generateRun({ noise: 0.005, plan: { exploratory: true } });
  const directory = createRunDirectory(join(parent, 'run'), plan);
  records.slice(0, -1).forEach((record) => directory.append(record));
  writeSummary(directory);
  const [entry] = readRuns(parent);
  assert.match(entry?.headline[0] ?? '', /^A hint: same load time/);
  assert.match(
    entry?.headline.slice(1).join(' ') ?? '',
    /Preliminary: 1 of 32 .* Exploratory plan: .* them\./s,
  );
});

test('a page of somebody else is left alone', async (t) => {
  const parent = tempFolder(t);
  writeFileSync(join(parent, 'index.html'), '<p>mine</p>');
  assert.equal(await publishIndex(parent), null);
  assert.equal(readFileSync(join(parent, 'index.html'), 'utf8'), '<p>mine</p>');
});

test('the list of runs is written unasked only where runs of the project lie', async (t) => {
  const parent = tempFolder(t);
  const { plan, records } = generateRun();
  const directory = createRunDirectory(join(parent, 'run'), plan);
  records.forEach((record) => directory.append(record));
  await report(directory.path, { progress: silent });
  assert.deepEqual(readdirSync(parent).sort(), ['latest', 'run'], 'this folder may be the user’s home');
  await report(directory.path, { progress: silent }, { index: true });
  assert.deepEqual(readdirSync(parent).sort(), [runIndexFile, 'index.html', 'latest', 'run']);
  writeFileSync(join(parent, 'index.html'), '<meta name="generator" content="h2h3">old');
  await report(directory.path, { progress: silent });
  assert.match(readFileSync(join(parent, 'index.html'), 'utf8'), /1 run/, 'by now it is such a folder');
});

test('the tail of a journal gives each whole record once, and a line cut short when it is whole', (t) => {
  const file = join(tempFolder(t), 'journal.jsonl');
  const tail = new JournalTail(file);
  assert.deepEqual(tail.read(), []);
  const lines = generateRun()
    .records.slice(0, 3)
    .map((record) => `${JSON.stringify({ ...record, reason: 'é' })}\n`);
  const [first = '', second = '', third = ''] = lines;
  const bytes = Buffer.from(`${first}garbage\n${second}`);
  const cut = bytes.length - 20;
  writeFileSync(file, bytes.subarray(0, cut));
  assert.equal(tail.read().length, 1);
  writeFileSync(file, Buffer.concat([bytes, Buffer.from(third)]));
  assert.deepEqual(
    tail.read().map(({ reason }) => reason),
    ['é', 'é'],
  );
  assert.deepEqual(tail.read(), []);
});

test('runs for unlike users are no trend of one another, and have their names', (t) => {
  const parent = tempFolder(t);
  const shares = { first: [0.5, 0.5], second: [0.5, 0.5], third: [0.7, 0.3] };
  for (const [name, ofRun] of Object.entries(shares)) {
    const audience = audienceFixture(ofRun);
    const { plan, records } = generateRun({
      networks: audience.conditions.map(({ network }) => network),
      plan: { audience, name: 'for-users' },
    });
    const directory = createRunDirectory(join(parent, name), plan);
    records.forEach((record) => directory.append(record));
    writeSummary(directory);
  }
  const runs = readRuns(parent);
  const networks = new Set(runs.map(({ primary }) => primary[0]?.network));
  assert.equal(networks.size, 2, [...networks].join());
  const [trend, ...others] = trendsOf(runs);
  assert.deepEqual([trend?.points.length, others.length], [2, 0]);
  const names = runs.map((run) => namesFrom(run.names).network(run.primary[0]?.network ?? ''));
  for (const name of names) assert.match(name, /^your users of users\.csv \(\w+\)$/);
});
