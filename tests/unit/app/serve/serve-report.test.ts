import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeReports, writeSummary } from '../../../../src/app/report/publish.ts';
import { serveReport, serveReports } from '../../../../src/app/serve/serve-report.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import type { RunProgress } from '../../../../src/core/model/run-progress.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../../../src/store/run-lock.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { testEnvironment } from '../../../support/test-scope.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function statusOf(address: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { port } = new URL(address);
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', reject);
  });
}

test('a run in progress is followed record by record, with medians and without verdicts', async (t) => {
  const { plan, records } = generateRun();
  const directory = createRunDirectory(join(tempFolder(t), 'run'), plan);
  directory.append(records[0] as (typeof records)[number]);
  const release = lockRunDirectory(directory.path, process.pid);
  const server = await serveReport(join(directory.path, '..', 'latest'), undefined);
  t.after(() => server.close());
  const events = await fetch(`${server.address}events`);
  const seen: RunProgress[] = [];
  for await (const chunk of events.body ?? []) {
    const text = Buffer.from(chunk).toString();
    if (!text.startsWith('data: ')) continue;
    seen.push(JSON.parse(text.slice('data: '.length)) as RunProgress);
    if (seen.length === 1) records.slice(1).forEach((record) => directory.append(record));
    if (seen.length === 2) break;
  }
  const [before, after] = seen;
  assert.equal(before?.state, 'running');
  assert.equal(before.counts.ok, 1);
  assert.ok((before.remainingMs ?? 0) > 0);
  assert.equal(after?.state, 'ended');
  assert.equal(after.counts.ok, plan.trials.length);
  assert.ok(after.conditions.every(({ arms }) => arms.every(({ median }) => (median ?? 0) > 500)));
  assert.doesNotMatch(JSON.stringify(after), /verdict|interval/i);
  release();
});

test('only files of the run go out, only under its own name, and nothing through links or dots', async (t) => {
  const folder = tempFolder(t);
  const { path } = createRunDirectory(join(folder, 'run'), generateRun().plan);
  writeFileSync(join(path, 'report.html'), 'x');
  writeFileSync(join(folder, 'secret.json'), '{}');
  symlinkSync(join(folder, 'secret.json'), join(path, 'link.json'));
  mkdirSync(join(path, 'trials', 'a'));
  writeFileSync(join(path, 'trials', 'a', 'page.html'), '<script>');
  const server = await serveReport(path, undefined);
  t.after(() => server.close());
  const statuses = async (paths: readonly string[]): Promise<number[]> =>
    Promise.all(paths.map((one) => statusOf(server.address, one)));
  assert.deepEqual(await statuses(['/', '/run/report.html', '/run/plan.json']), [200, 200, 200]);
  const shut = [
    '/run/../secret.json',
    '/run/..%2fsecret.json',
    '/run/link.json',
    '/run/%',
    '//',
    '//other.test/run/plan.json',
    'http://127.0.0.1/run/plan.json',
    '/run/',
    '/other',
  ];
  assert.deepEqual(new Set(await statuses([...shut, '/run/trials/a/page.html'])), new Set([404]));
  assert.equal(await statusOf(server.address, '/', { host: 'elsewhere.test' }), 403);
  const { port } = new URL(server.address);
  await assert.rejects(
    serveReport(path, Number(port)),
    (error) =>
      error instanceof H2h3Error &&
      error.code === 'usage' &&
      error.message.includes(`port ${port} is in use`),
  );
});

test('all runs of a folder are listed, each is reached below its name, and two are compared by address', async (t) => {
  const parent = tempFolder(t);
  for (const [folder, slowdown] of [
    ['monday', 1],
    ['tuesday night', 1.2],
  ] as const) {
    const { plan, records } = generateRun({ slowdown: { h3: slowdown } });
    const directory = createRunDirectory(join(parent, folder), plan);
    records.forEach((record) => directory.append(record));
    await writeReports(directory, writeSummary(directory), () => undefined);
  }
  const { plan, records } = generateRun();
  const live = createRunDirectory(join(parent, 'live'), plan);
  records.slice(0, 9).forEach((record) => live.append(record));
  t.after(lockRunDirectory(live.path, process.pid));
  writeFileSync(join(parent, 'secret.json'), '{}');
  const server = await serveReports(parent, undefined);
  t.after(() => server.close());
  const textOf = async (path: string): Promise<string> => (await fetch(new URL(path, server.address))).text();

  const list = await textOf('/');
  assert.match(list, /href="monday\/report\.html"/);
  assert.match(list, /href="tuesday%20night\/report\.html"/);
  assert.match(list, new RegExp(`9 of ${plan.trials.length} trials done\\. <a href="live/">Follow it</a>`));
  assert.match(list, /<button type="button" class="tag find">Web pages<\/button>/);
  assert.match(await textOf('/tuesday%20night/report.html'), /<h1 id="headline"/);
  assert.match(await textOf('/live'), /Asking for the run/, 'led to the page of the run');
  assert.match(
    await textOf('/compare?a=monday&b=tuesday%20night'),
    /<h1[^>]*>[^<]*slower in run B than in run A/,
  );
  for (const path of [
    '/compare?a=monday&b=..',
    '/compare?a=monday&b=monday',
    '/secret.json',
    '/..%2fsecret/',
    '/monday/../secret.json',
    '/monday/..%2f..%2fsecret.json',
    '/elsewhere/',
  ])
    assert.equal(await statusOf(server.address, path), 404, path);
  assert.equal(await statusOf(server.address, '/', { host: 'elsewhere.test' }), 403);
});

/** Takes a file away and puts it back, again and again, in a process of its own. */
const churn = `const { renameSync } = require('node:fs'); process.stdout.write('begun');
for (;;) { renameSync(process.argv[1], process.argv[1] + '2'); renameSync(process.argv[1] + '2', process.argv[1]); }`;

test('a file that vanishes between two looks costs its request an answer of 404, and the server nothing', async (t) => {
  const { path } = createRunDirectory(join(tempFolder(t), 'run'), generateRun().plan);
  const server = await serveReport(path, undefined);
  t.after(() => server.close());
  const child = spawn(process.execPath, ['-e', churn, join(path, 'plan.json')], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...testEnvironment() },
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const seen = new Set<number>();
  for (let asked = 0; asked < 2000; asked += 50) {
    const statuses = await Promise.all(
      Array.from({ length: 50 }, () => statusOf(server.address, '/run/plan.json')),
    );
    statuses.forEach((status) => seen.add(status));
  }
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.ok(
    [...seen].every((status) => status === 200 || status === 404),
    [...seen].join(),
  );
  assert.equal(await statusOf(server.address, '/'), 200);
});

test('what is no plain file of a run is not there, and the run may go while it is shown', async (t) => {
  const parent = tempFolder(t);
  const { path } = createRunDirectory(join(parent, 'run'), generateRun().plan);
  const one = await serveReport(path, undefined);
  const all = await serveReports(parent, undefined);
  t.after(() => Promise.all([one.close(), all.close()]));
  mkdirSync(join(path, 'folder.json'));
  symlinkSync('/dev/zero', join(path, 'zero.json'));
  symlinkSync('itself.json', join(path, 'itself.json'));
  symlinkSync('..', join(path, 'up'));
  writeFileSync(join(parent, 'beside.json'), '{}');
  const names = ['folder.json', 'zero.json', 'itself.json', 'up/beside.json'];
  if (process.platform === 'linux') {
    execFileSync('mkfifo', [join(path, 'report.html')]);
    names.push('report.html');
  }
  for (const name of names) {
    assert.equal(await statusOf(one.address, `/run/${name}`), 404, name);
    assert.equal(await statusOf(all.address, `/run/${name}`), 404, name);
  }
  assert.equal(await statusOf(all.address, '/run/'), 200);
  rmSync(path, { recursive: true });
  assert.equal(await statusOf(one.address, '/run/plan.json'), 404);
  assert.equal(await statusOf(all.address, '/run/plan.json'), 404);
  const events = await fetch(`${one.address}events`);
  const { value } = await (events.body as ReadableStream<Uint8Array>).getReader().read();
  assert.match(Buffer.from(value ?? []).toString(), /^event: trouble/);
  assert.equal(await statusOf(all.address, '/'), 200);
});

test('every answer says its type, and a file of a run has an origin of its own', async (t) => {
  const parent = tempFolder(t);
  const { path } = createRunDirectory(join(parent, "o'run; x"), generateRun().plan);
  for (const name of ['report.html', 'junit.xml', 'journal.jsonl']) writeFileSync(join(path, name), '<x/>');
  const server = await serveReports(parent, undefined);
  t.after(() => server.close());
  const run = `${server.address}${encodeURIComponent("o'run; x")}/`;
  for (const [address, type, policy] of [
    [server.address, 'text/html', /^connect-src 'none'; .*frame-ancestors 'none'$/],
    [run, 'text/html', /^connect-src http:\/\/127\.0\.0\.1:\d+\/o'run%3B%20x\/events; /],
    [
      `${run}report.html`,
      'text/html',
      /^sandbox allow-scripts allow-forms allow-downloads allow-modals; default-src 'none'; /,
    ],
    [`${run}run/report.html`, 'text/html', /^sandbox /],
    [`${run}junit.xml`, 'text/plain', /^sandbox /],
    [`${run}journal.jsonl`, 'text/plain', /^sandbox /],
    [`${run}plan.json`, 'application/json', /^sandbox /],
  ] as const) {
    const { headers } = await fetch(address);
    assert.equal(headers.get('content-type'), `${type}; charset=utf-8`, address);
    assert.match(headers.get('content-security-policy') ?? '', policy, address);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', address);
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', address);
  }
});
