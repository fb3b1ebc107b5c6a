import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { serverNamed } from '../../harness/servers/registry.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { readHar, readRaw } from '../../src/store/evidence.ts';
import { networkObjectsOf } from '../../src/core/metrics/evidence/network-object.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import {
  projectDir,
  readEnvironment,
  readPlan,
  readRecords,
  readSummary,
  runCli,
  runCliHere,
} from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startTinyApp } from '../support/tiny-app.ts';

/** A single-page app: empty until well after its load event, when it shows what it has fetched. */
const latePage = `<!doctype html><title>late</title><div></div><script>
addEventListener('load', async () => {
  const answer = await fetch('/api/late');
  document.querySelector('div').textContent = await answer.text();
  // Told once it is painted, so that the page is at rest no earlier.
  requestAnimationFrame(() => setTimeout(() => fetch('/api/shown'), 50));
});
</script>`;

test('an app over plain HTTP is measured behind a server of ours, proven by its log, as its users are logged in, and by its largest paint where the load event comes before any', async (t) => {
  const app = await startTinyApp(t, {
    '/late': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(latePage),
    // Long after the load event, also where the page loses its CPU between asking for it and the end of that event.
    '/api/late': (_, response) => void setTimeout(() => response.end('what it shows'), 1000).unref(),
    '/api/shown': (_, response) => void response.end('seen'),
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
    '--app',
    `${app.origin}/late`,
    ...flags,
    '--repetitions',
    '1',
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  const records = readRecords(out);
  const said = JSON.stringify(records.map(({ reason, warnings }) => [reason, warnings]));
  assert.equal(code, 0, `${stderr}\n${said}`);
  assert.match(stderr, /^localhost:\d+ is measured as an app behind servers of h2h3 \(--app\)$/m);
  assert.deepEqual(
    records.map(({ status }) => status),
    Array.from({ length: 6 }, () => 'ok'),
    said,
  );
  const late = records.filter(({ workload }) => workload.endsWith('late'));
  assert.deepEqual(late.map(({ arm }) => arm).toSorted(), ['h2', 'h3']);
  for (const { metrics } of late)
    assert.ok(Number(metrics['lcpMs']) > Number(metrics['pltMs']) + 200, JSON.stringify(metrics));
  const { comparisons, warnings } = readSummary(out);
  const deciding = comparisons
    .filter(({ primary }) => primary)
    .map(({ workload, metric }) => [workload, metric]);
  const metricsOf = (name: string | undefined): (string | undefined)[] =>
    deciding.filter(([workload]) => workload === name).map(([, metric]) => metric);
  assert.deepEqual(metricsOf(late[0]?.workload), ['lcpMs']);
  const shop = records.filter(({ workload }) => !/account$|late$/.test(workload));
  // On a busy machine the account is painted late, too, and then no pool holds the others; where the shop itself is, it is judged so.
  const isShownLate = shop.every(({ metrics }) => Number(metrics['fcpMs']) > Number(metrics['pltMs']) + 100);
  if (!isShownLate) assert.deepEqual([...metricsOf('pooled'), ...metricsOf(shop[0]?.workload)], ['pltMs']);
  assert.match(warnings.join('\n'), /late paints only after the load event.*largest contentful paint/);
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

/** Its service worker fetches one object before it is asked, hands on what it fetches, and answers by itself. */
const workerScript = `addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open('own').then((cache) => cache.add('/kept')));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === '/made') event.respondWith(new Response('by itself'));
  if (pathname === '/handed') event.respondWith(fetch(event.request));
  if (pathname === '/kept') event.respondWith(caches.match('/kept'));
});`;
const workerPage = `<!doctype html><link rel=icon href="data:,"><title>worker</title><script type="module">
const controlled = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
await navigator.serviceWorker.register('/worker.js');
await controlled;
for (const path of ['/made', '/handed', '/kept', '/passed-by']) await (await fetch(path)).text();
</script>`;

for (const client of ['best', 'firefox'])
  test(
    `what a service worker answers needs no server, and what it asks for is proven, in ${client}`,
    inBrowser(client),
    async (t) => {
      if (await skipsWithout(t, client)) return;
      const send =
        (type: string, text: string): RequestListener =>
        (_, response) =>
          // Without a length, as apps write that make their answers as they go.
          void response
            .writeHead(200, { 'content-type': type, 'cache-control': 'no-store' })
            .write(text, () => response.end());
      const app = await startTinyApp(t, {
        '/': send('text/html', workerPage),
        '/worker.js': send('text/javascript', workerScript),
        ...Object.fromEntries(
          ['/handed', '/kept', '/passed-by'].map((path) => [path, send('text/plain', path.repeat(500))]),
        ),
      });
      const out = join(tempFolder(t), 'run');
      const short = ['--repetitions', '1', '--recorded', '1', '--exploratory', '--quick-start', '--out', out];
      const { code, stderr } = await runCli(['run', '--app', `${app.origin}/`, '--client', client, ...short]);
      const records = readRecords(out);
      assert.equal(
        code,
        0,
        `${stderr}${JSON.stringify(records.map(({ reason, warnings }) => [reason, warnings]))}`,
      );
      for (const { instrumentation, warnings, artifacts } of records) {
        // Watched or not, each sees the answers that no server had; some are told of those that the worker handed on, too.
        assert.match(
          warnings.join('\n'),
          /^\d requests? w(as|ere) answered by the page's service worker/m,
          instrumentation,
        );
        const har = readHar(dirname(join(out, String(artifacts['har']))));
        const asked = networkObjectsOf(har).map(({ path }) => path);
        assert.deepEqual(
          asked.toSorted(),
          ['/', '/handed', '/kept', '/passed-by', '/worker.js'],
          instrumentation,
        );
      }
    },
  );

/** A page that asks with long headers and an odd name, and gets as long ones back; without them it fails. */
const askingPage = `<!doctype html><title>long</title><script>
const headers = { x_own: '1', 'x.own': '2' };
for (let field = 0; field < 4; field += 1) headers['x-long-' + field] = 'b'.repeat(25000);
fetch('/api', { headers });
</script>`;

/** Each server with the status of trials of such an app. */
const heads = [
  ['nginx', 'ok'],
  ['envoy', 'ok'],
  ['caddy', 'invalid'],
] as const;

test('an app’s long headers and odd names pass in Chromium, and where a server drops a name no trial counts', async (t) => {
  const app = await startTinyApp(t, {
    '/heads': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'x-long': 'a'.repeat(20_000) })
        .end(askingPage),
    '/api': (_, response) => {
      for (let field = 0; field < 5; field += 1) response.setHeader(`x-long-${field}`, 'a'.repeat(40_000));
      response.setHeader('x_answer', '1').end('{}');
    },
  });
  const setup = await createSetupContext({ projectDir });
  for (const [server, status] of heads) {
    const missing = await serverNamed(server)
      ?.ensure(setup)
      .then(
        () => null,
        (thrown: unknown) => messageOf(thrown),
      );
    if (missing !== null) {
      t.diagnostic(`left out: ${server}: ${missing}`);
      continue;
    }
    const out = join(tempFolder(t), 'run');
    const flags = [
      '--server',
      server,
      '--repetitions',
      '1',
      '--recorded',
      'all',
      '--exploratory',
      '--quick-start',
    ];
    const { stderr } = await runCli(['run', '--app', `${app.origin}/heads`, ...flags, '--out', out]);
    const records = readRecords(out);
    const said = `${server}: ${stderr}\n${JSON.stringify(records.map(({ reason }) => reason))}`;
    assert.deepEqual(new Set(records.map(({ arm }) => arm)), new Set(['h2', 'h3']), said);
    // From the first recorded trial on it is known of timed ones too.
    const known = records.slice(
      records.findIndex(({ instrumentation }) => instrumentation === 'instrumented'),
    );
    assert.ok(known.length >= 2, said);
    assert.deepEqual(new Set(known.map((record) => record.status)), new Set([status]), said);
    if (status === 'ok') continue;
    for (const { reason } of known)
      assert.match(reason ?? '', /the header x[_.]own of https:\/\/\S+\/api did not reach the app/, said);
  }
});

test('an app that is not there is said in one sentence before anything is measured', async (t) => {
  const out = join(tempFolder(t), 'run');
  const { code, stderr } = await runCliHere([
    'run',
    '--app',
    'http://127.0.0.1:9/',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /no app answers at http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED/);
  assert.match(stderr, /--server-command 'npm start'/);
  assert.equal(existsSync(out), false);
});
