import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Har } from '../../src/core/model/har.ts';
import { skipsWithout } from '../support/clients-here.ts';
import { readEnvironment, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { inBrowser } from '../support/left-to-wide.ts';
import { startLiveSite } from '../support/live-site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { unusedProxy } from '../support/unused-proxy.ts';

const readHarOf = (file: string): Har => JSON.parse(gunzipSync(readFileSync(file)).toString()) as Har;

test('a live page counts with a third party over TCP, a blocked address and a no-store body', async (t) => {
  const site = await startLiveSite(t);
  const out = join(tempFolder(t), 'run');
  const led = site.connectTo.flatMap((rule) => ['--connect-to', rule]);
  const address = [
    '--url',
    site.url,
    ...led,
    '--repetitions',
    '1',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ];
  const refused = await runCliHere(['run', ...address]);
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /page\.test:\d+ shows a certificate that is not trusted: .*SELF_SIGNED/);
  assert.match(refused.stderr, /--ca FILE.*--insecure/);
  assert.equal(existsSync(out), false);

  const { code, stderr } = await runCli(
    ['run', ...address, '--insecure', '--block', '/ads/'],
    await unusedProxy(t),
  );
  const records = readRecords(out);
  assert.equal(
    code,
    0,
    `${stderr}\n${JSON.stringify(records.map(({ reason, warnings }) => [reason, warnings]))}`,
  );
  assert.deepEqual(
    records.map(({ arm, instrumentation, status }) => [arm, instrumentation, status]).toSorted(),
    [
      ['h2', 'instrumented', 'ok'],
      ['h2', 'uninstrumented', 'ok'],
      ['h3', 'instrumented', 'ok'],
      ['h3', 'uninstrumented', 'ok'],
    ],
  );
  for (const { arm, instrumentation, metrics } of records)
    assert.equal(metrics['connectFamily'], 4, `${arm} ${instrumentation}`);
  for (const { warnings } of records)
    assert.ok(
      warnings.some((line) => /1 of \d objects .* without HTTP\/3 .*tcp\.test/.test(line)),
      warnings.join(),
    );
  const environment = readEnvironment(out);
  const [remote] = environment.remotes ?? [];
  assert.equal(remote?.server, 'Caddy');
  assert.match(remote?.address ?? '', /^127\.0\.0\.1:/);
  assert.match(remote?.certificate.sha256 ?? '', /^([0-9A-F]{2}:){31}/);
  assert.equal(environment.pinning.browserCpus, null);
  assert.ok(environment.warnings.some((line) => line.includes('--insecure')));
});

test(
  'Firefox loads a live page with a file of certificates, and without any check where it is told to',
  inBrowser('firefox'),
  async (t) => {
    if (await skipsWithout(t, 'firefox')) return;
    // Firefox cannot be led elsewhere, so these names lead to this machine by themselves.
    const site = await startLiveSite(t, { page: 'localhost', third: 'third.localhost' });
    const folder = tempFolder(t);
    const proxy = await unusedProxy(t);
    const run = async (name: string, ...flags: string[]): Promise<ReturnType<typeof readRecords>> => {
      const out = join(folder, name);
      const usual = ['run', '--client', 'firefox', '--url', site.url, '--block', '/ads/'];
      const { code, stderr } = await runCli(
        [...usual, ...flags, '--repetitions', '1', '--exploratory', '--quick-start', '--out', out],
        proxy,
      );
      const records = readRecords(out);
      assert.equal(code, 0, `${name}: ${stderr}\n${JSON.stringify(records.map(({ reason }) => reason))}`);
      return records;
    };
    const known = await run('known', '--ca', site.certificateFile);
    assert.deepEqual(
      known.map(({ arm, instrumentation, status }) => [arm, instrumentation, status]).toSorted(),
      [
        ['h2', 'instrumented', 'ok'],
        ['h2', 'uninstrumented', 'ok'],
        ['h3', 'instrumented', 'ok'],
        ['h3', 'uninstrumented', 'ok'],
      ],
    );
    // Its sockets of QUIC are connected to nothing that the kernel lists.
    for (const { arm, metrics } of known) if (arm === 'h2') assert.equal(metrics['connectFamily'], 4);
    for (const { warnings, artifacts } of known) {
      assert.match(warnings.join('\n'), /1 of \d objects .* without HTTP\/3 .*: third\.localhost$/m);
      assert.match(warnings.join('\n'), /Firefox.* certificate/, 'that it checks none is said');
      const har = readHarOf(join(folder, 'known', String(artifacts['har'])));
      const answered = har.log.entries
        .filter(({ response }) => response.status > 0)
        .map(({ request }) => new URL(request.url).pathname);
      assert.ok(answered.includes('/data.bin') && !answered.includes('/ads/dot.gif'), answered.join(', '));
    }
    const [unchecked] = await run('unchecked', '--insecure', '--arms', 'h2');
    assert.equal(unchecked?.status, 'ok');
  },
);

test('an address that nobody answers at is said in one sentence before anything is measured', async (t) => {
  const out = join(tempFolder(t), 'run');
  const { code, stderr } = await runCliHere([
    'run',
    '--url',
    'https://127.0.0.1:9/',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /h2h3: 127\.0\.0\.1:9 cannot be reached: connect ECONNREFUSED/);
  assert.doesNotMatch(stderr, /proxy/);
  assert.equal(existsSync(out), false);
});

test('an address that only a proxy leads to is refused, with why trials do not use it', async (t) => {
  const args = [
    'run',
    '--url',
    'https://127.0.0.1:9/',
    '--exploratory',
    '--quick-start',
    '--out',
    join(tempFolder(t), 'run'),
  ];
  const { code, stderr } = await runCliHere(args, await unusedProxy(t));
  assert.equal(code, 3, stderr);
  assert.match(stderr, /https_proxy names a proxy\. Trials use none, because HTTP\/3 cannot go through it/);
});
