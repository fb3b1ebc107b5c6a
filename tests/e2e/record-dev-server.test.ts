import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { ensureMitmdump } from '../../harness/tools/mitmdump.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { lightBrowser, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const answers: Readonly<Record<string, readonly [string, string]>> = {
  '/': [
    'text/html',
    '<!doctype html><title>dev</title><link rel=icon href="data:,"><link rel=stylesheet href="/a.css"><script src="/a.js"></script><h1>dev</h1>',
  ],
  '/a.css': ['text/css', 'h1 { color: teal }'],
  '/a.js': ['text/javascript', "fetch('/data.json')"],
  '/data.json': ['application/json', '{}'],
};

/** Why nothing can be recorded here; null where it can. */
async function unsupportedReason(): Promise<string | null> {
  const setup = await createSetupContext({ projectDir: resolve(import.meta.dirname, '../..') });
  return ensureMitmdump(setup).then(() => null, messageOf);
}

async function startDevServer(t: TestContext): Promise<number> {
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = answers[url] ?? ['text/plain', ''];
    response.writeHead(url in answers ? 200 : 404, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a dev server over plain http is recorded, and its recording is measured over both protocols', async (t) => {
  const reason = await unsupportedReason();
  if (reason !== null) return t.skip(reason);
  const port = await startDevServer(t);
  const folder = tempFolder(t);
  const archive = join(folder, 'archive');
  const recorded = await runCli(['record', `http://localhost:${port}/`, '--out', archive]);
  assert.equal(recorded.code, 0, recorded.stderr);
  assert.match(recorded.stdout, /4 answers of 1 host,/);
  assert.match(recorded.stdout, /4 answers came over plain http: they are replayed over TLS/);
  const out = join(folder, 'run');
  const measured = [
    'run',
    '--sites',
    archive,
    '--network',
    'loopback',
    ...lightBrowser,
    '--repetitions',
    '1',
    // Recordings are replayed in recorded blocks by `sites-tricky.test.ts`.
    '--recorded',
    '0',
  ];
  const { stderr } = await runCli([...measured, '--exploratory', '--quick-start', '--out', out]);
  const records = readRecords(out);
  assert.equal(records.length, 2, stderr);
  for (const { arm, status, reason: why, metrics } of records) {
    assert.equal(status, 'ok', `${arm}: ${why}`);
    assert.equal(metrics['objectCount'], 4, arm);
  }
});

test('plain http that cannot be recorded is answered with what to do', async (t) => {
  const folder = tempFolder(t);
  const elsewhere = await runCliHere(['record', 'http://shop.example/a', '--out', join(folder, 'a')]);
  assert.equal(elsewhere.code, 2, elsewhere.stderr);
  assert.match(elsewhere.stderr, /next: Did you mean https:\/\/shop\.example\/a\?/);
  const replayed = await runCliHere(['replay', 'http://localhost:3000/']);
  assert.equal(replayed.code, 2, replayed.stderr);
  assert.match(replayed.stderr, /next: Record it first, `npx h2h3 record http:\/\/localhost:3000\/`/);
  const reason = await unsupportedReason();
  if (reason !== null) return t.skip(reason);
  const nobody = await runCli(['record', 'http://127.0.0.1:9/', '--out', join(folder, 'b')]);
  assert.equal(nobody.code, 2, nobody.stderr);
  assert.match(nobody.stderr, /http:\/\/127\.0\.0\.1:9\/ cannot be loaded[^]*next: /);
});
