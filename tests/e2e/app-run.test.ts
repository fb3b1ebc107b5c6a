import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readRaw } from '../../src/store/evidence.ts';
import { readEnvironment, readPlan, readRecords, runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startTinyApp } from '../support/tiny-app.ts';

test('an app over plain HTTP is measured behind a server of ours, proven by its log, as its users are logged in', async (t) => {
  const app = await startTinyApp(t, {
    '/account': (request, response) =>
      void response
        .writeHead(request.headers.cookie?.includes('sid=') === true ? 200 : 401)
        .end('the account'),
  });
  const folder = tempFolder(t);
  const state = join(folder, 'state.json');
  const cookie = { name: 'sid', value: 'session-0f93ab77', domain: 'localhost', path: '/' };
  writeFileSync(state, JSON.stringify({ cookies: [cookie], origins: [] }));
  const out = join(folder, 'run');
  const flags = ['--server', 'nginx', '--block', '/style.css', '--storage-state', state];
  const { code, stderr } = await runCli([
    'run',
    app.origin,
    '--app',
    `${app.origin}/account`,
    ...flags,
    '--repetitions',
    '1',
    '--evidence',
    '0',
    '--exploratory',
    '--out',
    out,
  ]);
  const records = readRecords(out);
  const said = JSON.stringify(records.map(({ reason, warnings }) => [reason, warnings]));
  assert.equal(code, 0, `${stderr}\n${said}`);
  assert.match(stderr, /^localhost:\d+ is measured as an app behind servers of h2h3 \(--app\)$/m);
  assert.deepEqual(
    records.map(({ status }) => status),
    Array.from({ length: 4 }, () => 'ok'),
    said,
  );
  const shop = records.filter(({ workload }) => !workload.endsWith('account'));
  assert.deepEqual(shop.map(({ arm, server }) => [arm, server]).toSorted(), [
    ['h2', 'nginx'],
    ['h3', 'nginx'],
  ]);
  for (const { arm, warnings, metrics, artifacts } of shop) {
    assert.match(warnings.join('\n'), /^requests to other hosts were blocked: third\.example/m);
    assert.match(warnings.join('\n'), /^web sockets are kept over TCP, .*: \/live$/m);
    const raw = readRaw(dirname(join(out, String(artifacts['raw']))));
    const own = (raw.serverLog ?? []).filter(({ status }) => status !== 101);
    assert.deepEqual([...new Set(own.map(({ protocol }) => protocol))], [arm]);
    const paths = own.map(({ path }) => path).filter((path) => path !== '/favicon.ico');
    assert.deepEqual(paths.toSorted(), ['/', '/api/price', '/script.js', '/shop']);
    // The interface alone thinks 60 ms, and may do so after the load event.
    assert.ok((raw.app?.slowest?.thinkMs ?? 0) >= 55);
    assert.ok(Number(metrics['appThinkMs']) > 0);
  }
  const environment = readEnvironment(out);
  assert.match(
    environment.warnings.join('\n'),
    /hosts that are none of the app’s were blocked \(--third-parties\)/,
  );
  assert.ok(!JSON.stringify([readPlan(out), records]).includes(cookie.value), 'a session stays secret');
});

test('an app that is not there is said in one sentence before anything is measured', async (t) => {
  const out = join(tempFolder(t), 'run');
  const { code, stderr } = await runCli([
    'run',
    '--app',
    'http://127.0.0.1:9/',
    '--exploratory',
    '--out',
    out,
  ]);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /no app answers at http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED/);
  assert.match(stderr, /--server-command 'npm start'/);
  assert.equal(existsSync(out), false);
});
