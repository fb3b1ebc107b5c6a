import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runStudies } from '../../../../src/app/studies/studies.ts';
import { gitRevision } from '../../../../src/app/version.ts';
import { studiesOf } from '../../../../src/app/studies/studies-page.ts';
import { appendRecord } from '../../../../src/store/journal.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../../../src/store/run-lock.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { projectDir } from '../../../support/source-graph.ts';
import { silent } from '../../../support/silent-progress.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const preset = 'zhang2024-video';

/** A folder of runs: one that is whole, one cut off in its plan, and one whose journal is no file of records. */
function folderOfRuns(folder: string): void {
  const { plan, records } = generateRun({ blocks: 2, plan: { name: preset } });
  createRunDirectory(join(folder, `${preset}-quick`), plan);
  records.forEach((record) => appendRecord(join(folder, `${preset}-quick`, 'journal.jsonl'), record));
  const [cut, odd] = ['liu2025-single-quick', 'odd'].map((name) => join(folder, name));
  mkdirSync(cut ?? '');
  writeFileSync(join(cut ?? '', 'plan.json'), JSON.stringify(plan).slice(0, 500));
  createRunDirectory(odd ?? '', plan);
  mkdirSync(join(odd ?? '', 'journal.jsonl'));
}

test('damaged folders among the runs of studies are told and passed over', async (t) => {
  const folder = tempFolder(t);
  folderOfRuns(folder);
  const { studies, passedOver } = await studiesOf({ out: folder, kept: join(folder, 'none') });
  const found = studies.experiments.flatMap(({ preset: id, run }) => (run === undefined ? [] : [id]));
  assert.deepEqual(found, [preset]);
  assert.equal(passedOver.length, 2);
  assert.ok(passedOver.some((line) => line.includes('liu2025-single-quick')));
  assert.ok(passedOver.some((line) => line.includes(join('odd', 'journal.jsonl'))));
});

test('an experiment whose folder is damaged does not keep the others from running', async (t) => {
  const folder = tempFolder(t);
  folderOfRuns(folder);
  const said: string[] = [];
  const { exitCode } = await runStudies(
    { only: ['liu2025-single', preset], out: folder, quietMs: 0 },
    {
      projectDir: import.meta.dirname,
      progress: { ...silent, say: (line) => void said.push(line) },
      signal: new AbortController().signal,
      command: 'h2h3 studies --run',
      environment: {},
    },
  );
  assert.equal(exitCode, 2);
  assert.match(said.join('\n'), /liu2025-single: .*plan\.json is not JSON/);
  assert.match(said.join('\n'), new RegExp(`${preset}: already run`));
});

test('a second command in the same folder is refused while the first one runs', async (t) => {
  const folder = tempFolder(t);
  const release = lockRunDirectory(folder, process.pid);
  const context = {
    projectDir: import.meta.dirname,
    progress: silent,
    signal: new AbortController().signal,
    command: 'h2h3 studies --run',
    environment: {},
  };
  const again = () => runStudies({ only: [preset], out: folder, quietMs: 0, forMs: 0 }, context);
  await assert.rejects(again, {
    code: 'usage',
    message: new RegExp(`process ${process.pid} is already running in ${folder}`),
    next: /the same command goes on/,
  });
  release();
  assert.equal((await again()).exitCode, 0);
  assert.ok(!existsSync(join(folder, 'run.lock')));
});

test('a file of the user’s that has the name of the page is not written over; a page of ours is', async (t) => {
  const folder = tempFolder(t);
  const mine = join(folder, 'studies.md');
  writeFileSync(mine, 'years of work');
  await assert.rejects(studiesOf({ out: folder }), { code: 'usage', message: /studies\.md is not of h2h3/ });
  assert.equal(readFileSync(mine, 'utf8'), 'years of work');
  const own = tempFolder(t);
  await studiesOf({ out: own });
  await studiesOf({ out: own });
});

test('when the time is over nothing more begins, and the page is made of what is there', async (t) => {
  const folder = tempFolder(t);
  folderOfRuns(folder);
  const said: string[] = [];
  const { exitCode, studies } = await runStudies(
    { only: [preset, 'liu2025-single'], out: folder, forMs: 0, quietMs: 0 },
    {
      projectDir: import.meta.dirname,
      progress: { ...silent, say: (line) => void said.push(line) },
      signal: new AbortController().signal,
      command: 'h2h3 studies --run --for 1s',
      environment: {},
    },
  );
  assert.equal(exitCode, 0);
  assert.ok(studies.experiments.some(({ run }) => run !== undefined));
  assert.match(said.join('\n'), /are over; the same command goes on/);
  assert.doesNotMatch(said.join('\n'), /zhang2024-video:|liu2025-single:/);
});

test('what another revision began is kept, and begun anew beside it', async (t) => {
  if (gitRevision(projectDir) === null) return t.skip('the revision of this checkout is not known: no git');
  const folder = tempFolder(t);
  const { plan, records } = generateRun({ blocks: 2, plan: { name: preset } });
  const old = join(folder, `${preset}-quick`);
  const directory = createRunDirectory(old, plan);
  const environment = environmentFixture(['chromium'], ['host']);
  directory.write(
    'environment.json',
    JSON.stringify({ ...environment, h2h3: { version: '0.1.0', gitRevision: 'older' } }),
  );
  records.slice(0, 1).forEach((record) => appendRecord(join(old, 'journal.jsonl'), record));
  const said: string[] = [];
  const stop = new AbortController();
  stop.abort();
  await assert.rejects(
    runStudies(
      { only: [preset], out: folder, quietMs: 1000 },
      {
        projectDir,
        progress: { ...silent, say: (line) => void said.push(line) },
        signal: stop.signal,
        command: 'h2h3 studies --run',
        environment: {},
      },
    ),
  );
  assert.match(said.join('\n'), /revision older began it: kept, and begun anew by/);
  assert.equal(readFileSync(join(old, 'journal.jsonl'), 'utf8').trim().split('\n').length, 1);
});
