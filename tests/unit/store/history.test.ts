import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { historyRun } from '../../../src/analyse/history/history-run.ts';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import type { HistoryRun } from '../../../src/core/model/history.ts';
import { openHistory, replaceHistory } from '../../../src/store/history.ts';
import { appendNightEvent, readNightEvents } from '../../../src/store/nights.ts';
import { generateGateRun } from '../../support/gate-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { plan, records } = generateGateRun({});
const run = (runId: string, digest = 'one', night = '2026-01-02'): HistoryRun => ({
  ...historyRun({ runId, digest, folder: runId, plan, environment: null, records, gate: null }),
  night,
});

test('a run is taken in once, and anew when its journal has grown', async (t) => {
  const history = await openHistory(join(tempFolder(t), 'deep', 'history.duckdb'));
  t.after(() => history.close());
  assert.equal(await history.addRun(run('a')), 'added');
  assert.equal(await history.addRun(run('a')), 'unchanged');
  assert.equal(await history.addRun(run('a', 'two')), 'replaced');
  assert.equal((await history.runs()).length, 1);
  const [count] = await history.query('SELECT CAST(count(*) AS INTEGER) AS n FROM observations');
  assert.equal(count?.['n'], run('a').observations.length);
});

test('values come back by night and version, those of half runs do not', async (t) => {
  const history = await openHistory(join(tempFolder(t), 'history.duckdb'));
  t.after(() => history.close());
  await history.addRun(run('a'));
  await history.addRun({ ...run('b', 'x', '2026-01-03'), state: 'half', reason: 'budget' });
  const series = await history.series(['pltMs']);
  assert.equal(series.length, 8);
  const values = series.find(
    (one) => one.workload === 'page-a' && one.protocol === 'h3' && one.role === 'candidate',
  );
  assert.equal(values?.values.length, 20);
  assert.equal(values.night, '2026-01-02');
  assert.deepEqual(
    (await history.runs()).map(({ state }) => state),
    ['complete', 'half'],
  );
});

test('Parquet files hold the same rows, and retention keeps the runs themselves', async (t) => {
  const folder = tempFolder(t);
  const exportsTo = join(folder, "it's here");
  const history = await openHistory(join(folder, 'history.duckdb'), { exportsTo });
  t.after(() => history.close());
  await history.addRun(run('a'));
  await history.addRun(run('b', 'x', '2026-02-02'));
  const [runsFile, file] = await history.exportParquet(exportsTo);
  assert.ok(existsSync(runsFile ?? ''));
  const [read] = await history.query(
    `SELECT CAST(count(*) AS INTEGER) AS n FROM read_parquet('${(file ?? '').replaceAll("'", "''")}')`,
  );
  assert.equal(read?.['n'], 2 * run('a').observations.length);
  assert.equal(await history.prune('2026-02-01'), run('a').observations.length);
  assert.equal((await history.runs()).length, 2);
  assert.deepEqual([...new Set((await history.series([])).map(({ night }) => night))], ['2026-02-02']);
});

test('a damaged file is refused, left as it is, and replaced only by a rebuild that keeps it', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'history.duckdb');
  writeFileSync(file, 'no database at all, but some bytes that were there before'.repeat(100));
  const bytes = readFileSync(file);
  await assert.rejects(openHistory(file), (thrown) => {
    assert.ok(thrown instanceof H2h3Error && thrown.code === 'bad-input');
    assert.match(thrown.next ?? '', /history rebuild/);
    return true;
  });
  assert.deepEqual(readFileSync(file), bytes);
  const aside = await replaceHistory(file, 'stamp', async (history) => void (await history.addRun(run('a'))));
  assert.deepEqual(readFileSync(aside ?? ''), bytes);
  const history = await openHistory(file, { readOnly: true });
  assert.equal((await history.runs()).length, 1);
  history.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('.new')),
    [],
  );
});

test('a file that another process holds is refused with its pid, also by a rebuild', async (t) => {
  const file = join(tempFolder(t), 'history.duckdb');
  (await openHistory(file)).close();
  const script = `import { openHistory } from ${JSON.stringify(join(import.meta.dirname, '../../../src/store/history.ts'))};
    await openHistory(process.argv[1]); console.log('open'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  await once(child.stdout, 'data');
  const held = (thrown: unknown): boolean =>
    thrown instanceof H2h3Error && thrown.code === 'storage' && thrown.message.includes(String(child.pid));
  await assert.rejects(openHistory(file), held);
  await assert.rejects(
    replaceHistory(file, 'stamp', () => Promise.resolve()),
    held,
  );
});

test('a missing history, another database and an older schema are told apart', async (t) => {
  const folder = tempFolder(t);
  await assert.rejects(openHistory(join(folder, 'none.duckdb'), { readOnly: true }), /there is no history/);
  const file = join(folder, 'history.duckdb');
  const history = await openHistory(file);
  await history.query('UPDATE history_meta SET version = 0');
  history.close();
  await assert.rejects(openHistory(file), /schema version 0, this h2h3 reads 1/);
});

test('nights are noted line by line; a line cut short costs only itself', (t) => {
  const folder = tempFolder(t);
  const event = { night: '2026-01-02', at: '', folder: null, exitCode: null, note: '' } as const;
  appendNightEvent(folder, { ...event, event: 'begin' });
  writeFileSync(join(folder, 'nights.jsonl'), '{"night":"2026', { flag: 'a' });
  appendNightEvent(folder, { ...event, event: 'end', exitCode: 0 });
  const { events, damagedLines } = readNightEvents(folder);
  assert.deepEqual([events.map((one) => one.event), damagedLines], [['begin', 'end'], 1]);
});

test('a link in the place of the nights is not followed', (t) => {
  const folder = tempFolder(t);
  const mine = join(folder, 'mine');
  writeFileSync(mine, 'years of work');
  symlinkSync(mine, join(folder, 'nights.jsonl'));
  const event = { night: '2026-01-02', at: '', folder: null, exitCode: null, note: '' } as const;
  assert.throws(() => appendNightEvent(folder, { ...event, event: 'begin' }), {
    code: 'storage',
    message: /symbolic link is in the way/,
  });
  assert.equal(readFileSync(mine, 'utf8'), 'years of work');
});

test('a query of the user’s reads this file only, writes none, fetches nothing, and fails as a usage error', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'history.duckdb');
  const history = await openHistory(file);
  await history.addRun(run('a'));
  history.close();
  const secret = join(folder, 'secret.csv');
  writeFileSync(secret, 'password\nhunter2\n');
  const locked = await openHistory(file, { readOnly: true });
  t.after(() => locked.close());
  const attempts = [
    `SELECT * FROM read_text('${secret}')`,
    `SELECT * FROM '${secret}'`,
    `SELECT * FROM read_csv('${secret}')`,
    `COPY runs TO '${join(folder, 'out.csv')}'`,
    `EXPORT DATABASE '${join(folder, 'dump')}'`,
    `ATTACH '${join(folder, 'other.duckdb')}'`,
    `SELECT * FROM glob('${folder}/*')`,
    'INSTALL httpfs',
    'LOAD httpfs',
    'SET enable_external_access = true',
    'RESET lock_configuration',
    'DELETE FROM runs',
    'no SQL at all',
  ];
  for (const sql of attempts)
    await assert.rejects(
      locked.query(sql),
      (error) => error instanceof H2h3Error && error.code === 'usage',
      sql,
    );
  assert.equal((await locked.query('SELECT * FROM runs')).length, 1);
  assert.deepEqual(readdirSync(folder).sort(), ['history.duckdb', 'secret.csv']);
});

test('a query without end is ended by the signal', async (t) => {
  const history = await openHistory(join(tempFolder(t), 'history.duckdb'));
  t.after(() => history.close());
  const endless = 'WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t';
  await assert.rejects(history.query(endless, AbortSignal.timeout(300)), { code: 'interrupted' });
  assert.equal((await history.query('SELECT 1 AS one')).length, 1, 'the history can be used after it');
});

test('an export goes to its folder and nowhere else', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'history.duckdb');
  const history = await openHistory(file);
  await history.addRun(run('a'));
  history.close();
  const exportsTo = join(folder, "it's here");
  const locked = await openHistory(file, { readOnly: true, exportsTo });
  t.after(() => locked.close());
  assert.deepEqual(
    (await locked.exportParquet(exportsTo)).map((path) => existsSync(path)),
    [true, true],
  );
  await assert.rejects(locked.exportParquet(join(folder, 'elsewhere')));
});

test('a file of others whose tables are views of what lies elsewhere is no history, and nothing of it is read', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'history.duckdb');
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'hunter2');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run('CREATE TABLE history_meta (version INTEGER)');
  await connection.run('INSERT INTO history_meta VALUES (1)');
  for (const view of ['runs', 'observations'])
    await connection.run(`CREATE VIEW ${view} AS SELECT content AS run_id FROM read_text('${secret}')`);
  connection.closeSync();
  instance.closeSync();
  for (const readOnly of [true, false])
    await assert.rejects(openHistory(file, { readOnly }), { code: 'bad-input', message: /no column runs/ });
});

test('a file whose blocks are damaged is told from one that is in use', async (t) => {
  const file = join(tempFolder(t), 'history.duckdb');
  const history = await openHistory(file);
  await history.addRun(run('a'));
  history.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 12_288 + 64, 12_288 + 128));
  await assert.rejects(
    openHistory(file).then((opened) => opened.runs()),
    { code: 'bad-input' },
  );
});

test('what fails inside a file is told as a fault of the file', async (t) => {
  const file = join(tempFolder(t), 'history.duckdb');
  const history = await openHistory(file);
  t.after(() => history.close());
  await history.addRun(run('a'));
  await assert.rejects(history.prune('no day'), {
    code: 'bad-input',
    message: /cannot be used as a history/,
  });
});

test('a history that is written is shut in as one that is read', async (t) => {
  const folder = tempFolder(t);
  const history = await openHistory(join(folder, 'history.duckdb'));
  t.after(() => history.close());
  writeFileSync(join(folder, 'secret.txt'), 'hunter2');
  await history.addRun(run('a'));
  await assert.rejects(history.query(`SELECT * FROM read_text('${join(folder, 'secret.txt')}')`), {
    code: 'usage',
  });
});
