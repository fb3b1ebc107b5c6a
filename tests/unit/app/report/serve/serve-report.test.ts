import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeReports, writeSummary } from '../../../../../src/app/report/publish.ts';
import { serveReport, serveReports } from '../../../../../src/app/report/serve/serve-report.ts';
import { H2h3Error } from '../../../../../src/model/errors.ts';
import type { RunProgress } from '../../../../../src/model/run-progress.ts';
import { createRunDirectory } from '../../../../../src/store/run-directory.ts';
import { lockRunDirectory } from '../../../../../src/store/run-lock.ts';
import { generateRun } from '../../../../support/generated-run.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

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
