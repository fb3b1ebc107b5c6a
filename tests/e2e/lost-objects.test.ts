import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { protocolOf } from '../../src/core/model/protocol.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readRaw } from '../../src/store/evidence.ts';
import { lightBrowser, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { startLiveSite } from '../support/live-site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { wirePaths } from '../support/wire-paths.ts';
import { startTinyApp } from '../support/tiny-app.ts';

const everyTrial = ['h2 instrumented', 'h2 uninstrumented', 'h3 instrumented', 'h3 uninstrumented'];
const whole = ['--repetitions', '1', '--recorded', '1', '--exploratory', '--quick-start'];

const named = (records: readonly TrialRecord[], status: string): string[] =>
  records
    .flatMap((record) => (record.status === status ? [`${record.arm} ${record.instrumentation}`] : []))
    .toSorted();

const reasonsOf = (records: readonly TrialRecord[]): string =>
  records.map(({ reason }) => reason ?? '').join('\n');

test('a recorded site that lacks a host which its page needs is invalid in timed and recorded blocks alike', async (t) => {
  const folder = tempFolder(t);
  const page = `<!doctype html><title>lost</title><img src="https://cdn.lost.test/a.png">
<script src="https://cdn.lost.test/b.js"></script><link rel=stylesheet href="https://cdn.lost.test/c.css">`;
  const har = {
    log: {
      version: '1.2',
      creator: { name: 'test', version: '1' },
      entries: [
        {
          startedDateTime: '2026-11-28T00:00:00.000Z',
          time: 1,
          request: { method: 'GET', url: 'https://lost.test/', httpVersion: 'h2', headers: [] },
          response: {
            status: 200,
            httpVersion: 'h2',
            headers: [{ name: 'content-type', value: 'text/html; charset=utf-8' }],
            content: { size: page.length, mimeType: 'text/html', text: page },
          },
          timings: { send: 0, wait: 1, receive: 0 },
        },
      ],
    },
  };
  writeFileSync(join(folder, 'lost.har'), JSON.stringify(har));
  const archive = join(folder, 'archive');
  const imported = await runCliHere(['record', '--from-har', join(folder, 'lost.har'), '--out', archive]);
  assert.equal(imported.code, 0, imported.stderr);
  const out = join(folder, 'run');
  const { stderr } = await runCli([
    'run',
    '--sites',
    archive,
    '--network',
    'loopback',
    ...lightBrowser,
    ...whole,
    '--out',
    out,
  ]);
  const records = readRecords(out);
  assert.deepEqual(named(records, 'invalid'), everyTrial, `${stderr}\n${reasonsOf(records)}`);
  for (const { reason = '' } of records) {
    assert.match(reason, /\b3 requests for HTML, CSS/);
    // In the order in which they failed, which a busy machine changes.
    for (const lost of ['a.png', 'b.js', 'c.css'])
      assert.ok(reason.includes(`https://cdn.lost.test/${lost}`), reason);
  }
});

test('a live page that names a dead host is invalid in timed blocks as in recorded ones, by the object', async (t) => {
  const more = '<img src="https://dead.invalid/x.png"><script src="https://dead.invalid/y.js"></script>';
  const site = await startLiveSite(t, { page: 'page.test', third: 'tcp.test', more });
  const out = join(tempFolder(t), 'run');
  const led = site.connectTo.flatMap((rule) => ['--connect-to', rule]);
  const address = ['run', '--url', site.url, ...led, '--insecure', '--block', '/ads/'];
  const { stderr } = await runCli([...address, ...whole, '--out', out]);
  const records = readRecords(out);
  assert.deepEqual(named(records, 'invalid'), everyTrial, `${stderr}\n${reasonsOf(records)}`);
  for (const { reason = '', instrumentation, warnings } of records) {
    const how = instrumentation === 'uninstrumented' ? /\(when it was recorded\)$/ : /ERR_NAME_NOT_RESOLVED$/;
    assert.match(reason, /^https:\/\/dead\.invalid\/[xy]\.(?:png|js) failed: /);
    assert.match(reason, how);
    assert.doesNotMatch(warnings.join('\n'), /over TCP: .*dead\.invalid/);
  }
});

test('an answer with a length that the end of a trial cuts off makes it invalid, over both protocols', async (t) => {
  const app = await startTinyApp(t, {
    '/': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>a</title><script>onload = () => fetch("/big")</script>'),
    '/big': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2_000_000 });
      response.write('a'.repeat(100_000));
    },
  });
  const out = join(tempFolder(t), 'run');
  const timed = ['--repetitions', '1', '--recorded', '0', '--exploratory', '--quick-start', ...lightBrowser];
  const { stderr } = await runCli(['run', `${app.origin}/`, '--network', 'loopback', ...timed, '--out', out]);
  const records = readRecords(out);
  assert.deepEqual(
    named(records, 'invalid'),
    ['h2 uninstrumented', 'h3 uninstrumented'],
    `${stderr}\n${reasonsOf(records)}`,
  );
  for (const { reason = '' } of records)
    assert.match(reason, /\/big was still under way when the load seemed to be at rest/);
});

test('addresses of every form are proven as they stand on the wire, and a request that the end of a trial cuts off by the log of its own trial', async (t) => {
  const sent = wirePaths.map(([, path]) => path).filter((path) => path !== '/');
  const written = JSON.stringify(wirePaths.map(([path]) => path));
  const app = await startTinyApp(t, {
    '/endless': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    },
    '*': (request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
        request.url === '/'
          ? `<!doctype html><title>a</title><script>
for (const path of ${written}) fetch(location.origin + path);
onload = () => fetch('/endless');
</script>`
          : 'an answer',
      ),
  });
  const out = join(tempFolder(t), 'run');
  const address = ['run', `${app.origin}/`, '--network', 'loopback', ...lightBrowser];
  const { stderr } = await runCli([...address, ...whole, '--repetitions', '2', '--out', out]);
  const records = readRecords(out);
  assert.deepEqual(
    named(records, 'ok'),
    [...everyTrial, 'h2 uninstrumented', 'h3 uninstrumented'].toSorted(),
    `${stderr}\n${reasonsOf(records)}`,
  );
  const cutOff: unknown[] = [];
  for (const { arm, instrumentation, artifacts, trialId } of records) {
    const log = readRaw(dirname(join(out, String(artifacts['raw'])))).serverLog ?? [];
    const paths = new Set(log.map(({ path }) => path));
    assert.deepEqual(
      sent.filter((path) => !paths.has(path)),
      [],
      trialId,
    );
    if (instrumentation !== 'uninstrumented') continue;
    const cut = log
      .filter(({ path }) => path === '/endless')
      .map(({ protocol, durationMs }) => [protocolOf(protocol), durationMs > 500]);
    // A server that has no CPU at the end of a trial writes it down too late for that.
    if (cut.length > 0) assert.deepEqual(cut, [[arm, true]], trialId);
    cutOff.push(...cut.flat());
  }
  assert.ok(cutOff.includes('h2') && cutOff.includes('h3'), `cut off: ${cutOff.join()}`);
});
